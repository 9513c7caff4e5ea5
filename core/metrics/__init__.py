"""Pure metric functions."""
