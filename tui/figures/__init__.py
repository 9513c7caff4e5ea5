"""Figures of an analysis in plain characters, for commands and screens alike."""
