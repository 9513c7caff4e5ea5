"""Attempts at a task side by side on a screen."""
