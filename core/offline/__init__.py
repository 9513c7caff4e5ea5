"""Scoring predictions that were made elsewhere: no browser, only files."""
