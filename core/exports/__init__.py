"""Recorded episodes out, in other people's formats and in a file of our own."""
