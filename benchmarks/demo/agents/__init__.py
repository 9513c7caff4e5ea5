"""Agents that know the demo."""
