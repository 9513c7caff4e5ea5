"""Recorded runs and those that are being played."""
