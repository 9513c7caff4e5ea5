"""The one-to-one pairing of two lists with the largest total score."""

from __future__ import annotations

import math
from collections.abc import Sequence

Scores = Sequence[Sequence[float]]


def best_pairs(scores: Scores) -> list[tuple[int, int]]:
    """Pairs (row, column), in row order, whose scores have the largest possible sum.

    Every row or every column is paired, whichever there are fewer of. Among pairings with equal sums one is
    taken, always the same. Where no two rows want the same column, as with most answers, SciPy isn't
    imported, which takes half a second; otherwise its `linear_sum_assignment` finds the pairs.

    Args:
        scores: rows of equal length, finite.

    Raises `ValueError` for a score that is not finite.
    """
    if not all(all(map(math.isfinite, row)) for row in scores):
        raise ValueError("only finite scores can be assigned")
    if not scores or not scores[0]:
        return []
    if len(scores) <= len(scores[0]):
        return _row_maxima(scores) or _assigned(scores)
    turned = list(zip(*scores, strict=True))
    return sorted((row, column) for column, row in _row_maxima(turned)) or _assigned(scores)


def _row_maxima(scores: Scores) -> list[tuple[int, int]]:
    """Every row's largest score in a column of its own, which nothing can beat; empty if they collide."""
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for place, row in enumerate(scores):
        best = max(row)
        column = next((c for c, score in enumerate(row) if score == best and c not in taken), None)
        if column is None:
            return []
        taken.add(column)
        pairs.append((place, column))
    return pairs


def _assigned(scores: Scores) -> list[tuple[int, int]]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
