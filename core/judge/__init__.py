"""Judges: what decides where no rule can, and how its replies become evidence."""
