"""Texts to be compared whatever their case and the width of their blanks."""

from __future__ import annotations


def caseless(text: str) -> str:
    """Casefolded, blanks made one."""
    return " ".join(text.casefold().split())
