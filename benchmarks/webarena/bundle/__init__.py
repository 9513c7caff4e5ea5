"""Laptop Arena: tasks in WebArena's format over four bundled sites."""
