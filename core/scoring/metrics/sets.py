"""How alike two sets are, and what a group of people voted for."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import TypeVar

Choice = TypeVar("Choice", bound=Hashable)


def intersection_over_union(first: Collection[Hashable], second: Collection[Hashable]) -> float:
    """Jaccard index in [0, 1]; two empty sets are equal, so 1."""
    left, right = set(first), set(second)
    union = left | right
    return len(left & right) / len(union) if union else 1.0


def votes(choices: Iterable[Choice]) -> dict[Choice, int]:
    """How often each choice was made, in order of first appearance."""
    counts: dict[Choice, int] = {}
    for choice in choices:
        counts[choice] = counts.get(choice, 0) + 1
    return counts


def majority(choices: Iterable[Choice]) -> Choice:
    """The choice made most often, among equals the one made first. Raises `ValueError` without choices."""
    counts = votes(choices)
    if not counts:
        raise ValueError("no majority among no choices")
    return max(counts, key=counts.__getitem__)
