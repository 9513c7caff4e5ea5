"""Attempts at one task side by side: which steps belong together, and where they part."""
