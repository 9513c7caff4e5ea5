"""Pictures in a terminal: what it can show, and encoders for each way."""
