"""Published evaluators' recorded input and output, replayed against ours: `python -m tests.parity FILE...`."""
