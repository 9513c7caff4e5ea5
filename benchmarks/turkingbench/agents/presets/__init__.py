"""Presets of TurkingBench's agent."""
