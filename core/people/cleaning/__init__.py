"""Cleaned copies of recorded episodes: edits, the replay that proves them, and a second person's word."""
