"""Fathom, a small encyclopaedia: articles, links, other names, search."""
