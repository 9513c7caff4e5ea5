"""The score that explains itself."""
