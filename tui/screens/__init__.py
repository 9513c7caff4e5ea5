"""Screens: each renders events and sends intents."""
