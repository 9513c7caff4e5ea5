"""Recorded input and output of published evaluators, replayed against ours: `python -m tests.parity FILE`."""
