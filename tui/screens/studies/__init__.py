"""A study's session on a screen."""
