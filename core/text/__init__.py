"""Texts: made plain, counted, compared, read within bounds."""
