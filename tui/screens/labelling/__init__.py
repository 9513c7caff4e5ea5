"""Labelling errors on a screen."""
