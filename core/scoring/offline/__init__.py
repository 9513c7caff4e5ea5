"""Scoring files of predictions without a browser."""
