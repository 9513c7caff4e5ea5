"""Agents that belong to TurkingBench."""
