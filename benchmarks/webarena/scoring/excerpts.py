"""Showing long texts in checks: whole pages are compared, but a score keeps only the part that tells."""

from __future__ import annotations

from webbench.core.json_types import Json

LONGEST = 2000
"""Characters of an answer or a page that a check keeps; the whole of it is in the evidence."""

_QUOTED = 80
_AROUND = 60


def quoted(value: Json) -> str:
    """For a sentence: in quotes, cut off after 80 characters."""
    text = str(value)
    return f'"{text}"' if len(text) <= _QUOTED else f'"{text[: _QUOTED - 1]}…"'


def excerpt(text: str) -> str:
    """The beginning, with "…" where it is cut off."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def around(text: str, found: str) -> str:
    """The first place where `found` stands in a long text, with a little of what surrounds it."""
    if len(text) <= LONGEST or found not in text:
        return excerpt(text)
    start = max(0, text.index(found) - _AROUND)
    end = text.index(found) + len(found) + _AROUND
    return f"{'…' * (start > 0)}{excerpt(text[start:end])}{'…' * (end < len(text))}"
