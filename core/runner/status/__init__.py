"""How far a run is, and what it came to."""
