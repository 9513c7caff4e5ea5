"""Fieldnotes, an annotation site in the manner of crowd work."""
