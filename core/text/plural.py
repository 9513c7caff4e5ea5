"""Numbers with their nouns."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 step`, `2 steps`, `1,000 steps`; for nouns whose plural ends in a bare s."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def megabytes(size: int) -> str:
    """ "12.3 MB" of so many bytes."""
    return f"{size / 1e6:,.1f} MB"
