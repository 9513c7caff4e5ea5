"""Typed values of WebArena-Verified: read, normalised, compared."""
