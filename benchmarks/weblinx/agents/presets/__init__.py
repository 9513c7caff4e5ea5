"""Presets of WebLINX' agent."""
