"""Playwright's traces."""
