"""Judges for what no rule decides: a model, or a person."""
