"""Desk Forms: four small annotation tasks in TurkingBench's format."""
