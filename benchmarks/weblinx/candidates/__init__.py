"""The likeliest elements of a turn's page."""
