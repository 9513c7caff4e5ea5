"""The one-to-one pairing of two lists with the largest total score."""

from __future__ import annotations

import math
from collections.abc import Sequence

Scores = Sequence[Sequence[float]]


def best_pairs(scores: Scores) -> list[tuple[int, int]]:
    """Pairs (row, column), in row order, whose scores have the largest possible sum.

    Every row or every column is paired, whichever there are fewer of. Among pairings with equal sums one is
    taken, always the same. Shortest augmenting paths with potentials (R. Jonker and A. Volgenant, "A
    shortest augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987),
    O(rows² · columns) at worst.

    Args:
        scores: rows of equal length, finite.

    Raises `ValueError` for a score that is not finite.
    """
    if not all(all(map(math.isfinite, row)) for row in scores):
        raise ValueError("only finite scores can be assigned")
    if not scores or not scores[0]:
        return []
    if len(scores) <= len(scores[0]):
        return _row_maxima(scores) or sorted(_assign(scores))
    turned = list(zip(*scores, strict=True))
    return sorted((row, column) for column, row in _row_maxima(turned) or _assign(turned))


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


def _assign(scores: Scores) -> list[tuple[int, int]]:
    """For at most as many rows as columns."""
    columns = len(scores[0])
    owner: list[int | None] = [None] * columns
    row_potential, column_potential = [-max(row) for row in scores], [0.0] * columns
    for row in range(len(scores)):
        _augment(row, scores, owner, row_potential, column_potential)
    return [(row, column) for column, row in enumerate(owner) if row is not None]


def _augment(
    start: int,
    scores: Scores,
    owner: list[int | None],
    row_potential: list[float],
    column_potential: list[float],
) -> None:
    """Give `start` a column, moving rows along the cheapest path to a free one (Dijkstra)."""
    columns = len(owner)
    distance, came_from = [math.inf] * columns, [-1] * columns
    open_columns = set(range(columns))
    scanned: list[int] = []
    row: int | None = start
    reached, column, last = 0.0, -1, -1
    while row is not None:
        base, line = reached - row_potential[row], scores[row]
        for other in open_columns:
            cost = base - line[other] - column_potential[other]
            if cost < distance[other]:
                distance[other], came_from[other] = cost, last
        column = min(open_columns, key=lambda other: (distance[other], owner[other] is not None, other))
        reached, last = distance[column], column
        open_columns.remove(column)
        scanned.append(column)
        row = owner[column]
    _shift(start, reached, scanned[:-1], distance, owner, row_potential, column_potential)
    while column >= 0:
        before = came_from[column]
        owner[column] = owner[before] if before >= 0 else start
        column = before


def _shift(
    start: int,
    reached: float,
    scanned: Sequence[int],
    distance: Sequence[float],
    owner: Sequence[int | None],
    row_potential: list[float],
    column_potential: list[float],
) -> None:
    """Change the potentials so that every pair on the path costs nothing and no other pair costs less."""
    row_potential[start] += reached
    for column in scanned:
        slack = reached - distance[column]
        column_potential[column] -= slack
        holder = owner[column]
        if holder is not None:
            row_potential[holder] += slack
