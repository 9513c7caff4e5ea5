"""Mind2Web's step data and what was made of it."""
