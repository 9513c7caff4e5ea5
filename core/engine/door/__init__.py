"""A running episode seen and taken over from another process."""
