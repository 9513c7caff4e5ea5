"""Presets of WebArena's agents."""
