"""Agents that are programs of any language: observation lines in, action lines out."""
