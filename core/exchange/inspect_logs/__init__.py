"""Evaluation logs of Inspect (UK AI Security Institute): .eval files and JSON."""
