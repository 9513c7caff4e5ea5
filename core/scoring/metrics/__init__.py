"""Measures of likeness that several benchmarks use."""
