"""Environments over a live browser."""
