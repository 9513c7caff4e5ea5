"""How alike two names of places are."""

from __future__ import annotations

import re

LONGEST = 300
"""Characters of a name that are compared."""


def name_likeness(first: str, second: str) -> int:
    """0 to 100: twice the longest common subsequence of the sorted words / both lengths, rounded."""
    left, right = _sorted_words(first), _sorted_words(second)
    if not left or not right:
        return 0
    return round(200 * _common(left, right) / (len(left) + len(right)))


def _sorted_words(text: str) -> str:
    return " ".join(sorted(re.sub(r"[^a-z0-9]", " ", text.lower()).split()))[:LONGEST]


def _common(left: str, right: str) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for sign in left:
        before = 0
        for at, other in enumerate(right, start=1):
            above = row[at]
            row[at] = before + 1 if sign == other else max(above, row[at - 1])
            before = above
    return row[-1]
