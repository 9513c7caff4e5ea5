"""Benchmarks and their tasks, and putting a run together."""
