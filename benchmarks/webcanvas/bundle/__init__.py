"""Laptop Live: tasks in Mind2Web-Live's format over a bundled library and shop."""
