"""Which step decided a failure: every step ranked, each with the evidence it is asked about."""
