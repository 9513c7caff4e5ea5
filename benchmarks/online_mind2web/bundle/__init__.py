"""Laptop Errands: tasks in Online-Mind2Web's format over a bundled library and shop."""
