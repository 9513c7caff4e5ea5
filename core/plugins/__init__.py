"""Plug-ins: which groups there are, and loading what they name."""
