"""Lists of one-line rows."""
