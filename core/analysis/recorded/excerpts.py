"""The text around what was found."""

from __future__ import annotations

BESIDE = 60
"""Characters on either side."""


def around(text: str, at: int, length: int) -> str:
    """One line of the text about a place in it, with dots where it goes on."""
    start, end = max(0, at - BESIDE), min(len(text), at + length + BESIDE)
    inner = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{inner}{'…' if end < len(text) else ''}"
