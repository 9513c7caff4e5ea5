"""Demonstrations in WebLINX's format, recorded in the bundled shop."""
