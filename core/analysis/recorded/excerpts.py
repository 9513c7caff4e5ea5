"""The text around what was found."""

from __future__ import annotations

import re

_BLANKS = re.compile(r"\s+")
BESIDE = 60
"""Characters on either side."""


def around(text: str, at: int, length: int) -> str:
    """One line of the text about a place in it, with dots where it goes on."""
    start, end = max(0, at - BESIDE), min(len(text), at + length + BESIDE)
    inner = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{inner}{'…' if end < len(text) else ''}"


def excerpt(text: str, at: int, length: int) -> tuple[str, int, int]:
    """The same, with where the place begins in that line, and how long it is there."""
    start, end = max(0, at - BESIDE), min(len(text), at + length + BESIDE)
    before = ("…" if start else "") + _BLANKS.sub(" ", text[start:at]).lstrip()
    found = _BLANKS.sub(" ", text[at : at + length])
    after = _BLANKS.sub(" ", text[at + length : end]).rstrip() + ("…" if end < len(text) else "")
    return f"{before}{found}{after}", len(before), len(found)
