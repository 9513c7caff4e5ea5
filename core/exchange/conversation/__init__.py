"""Runs that are conversations: what was said, what was called, what came back; with a web page or without."""
