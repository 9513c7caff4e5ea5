"""Laptop Arena: tasks in WebArena's format over bundled sites."""
