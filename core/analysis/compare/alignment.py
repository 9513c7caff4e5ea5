"""Which steps of several attempts at one task belong together.

Global alignment with affine gaps (Gotoh 1982) over the moments of two trajectories. Putting two moments in a
row costs `mismatch * (1 - similarity)`; leaving a run of k of one actor's steps without a partner costs
`gap_open + k * gap_extend`. So two steps that are less than a quarter alike rather stand alone, and one long
detour costs less than several short ones. Costs are whole numbers, so the result is the same everywhere; of
equally cheap alignments the one that pairs steps as early as possible wins. Time and memory grow with the
product of the lengths.

More than two are aligned progressively: the first is the reference, then whichever is cheapest to align with
what is there already; a row is as like a step as its best member.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.parting_rows import Row, settled
from webbench.core.analysis.compare.similarity import Compared, Judged, Side

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.int64]

UNIT = 10_000
_FAR = 1 << 40
LACKING = -1
"""Place of a step that an actor lacks."""


class Alignment(msgspec.Struct, frozen=True):
    """Rows in order; `cost` is the sum of the steps' costs divided by `UNIT`, pairwise for two actors."""

    rows: tuple[Row, ...]
    cost: float


def align(trajectories: Sequence[Sequence[Moment]]) -> Alignment:
    """Align two or more attempts; the first is the reference where there are more than two."""
    (found,) = alignments(trajectories, (0.0,))
    return found


def alignments(
    trajectories: Sequence[Sequence[Moment]], strictnesses: Sequence[float]
) -> tuple[Alignment, ...]:
    """One for each strictness, as `align` does it without any.

    Args:
        strictnesses: are added to the shares of words from which two acts are the same.
    """
    sides = list(map(Side, trajectories))
    compared = {(a, b): Compared(sides[a], sides[b]) for a, b in combinations(range(len(trajectories)), 2)}
    told: list[tuple[Found, Alignment]] = []
    for strictness in strictnesses:
        found = {pair: one.judged(strictness) for pair, one in compared.items()}
        known = next((alignment for before, alignment in told if _is_same(found, before)), None)
        told.append((found, known if known is not None else _aligned(trajectories, found)))
    return tuple(alignment for _, alignment in told)


Found = dict[tuple[int, int], Judged]
"""What is made of each pair of attempts."""


def _is_same(one: Found, other: Found) -> bool:
    import numpy as np

    return all(
        np.array_equal(here, there)
        for pair, judged in one.items()
        for here, there in zip(judged.matrices, other[pair].matrices, strict=True)
    )


def _aligned(trajectories: Sequence[Sequence[Moment]], found: Found) -> Alignment:
    import numpy as np

    if len(trajectories) < 2:
        alone = trajectories[0] if trajectories else ()
        return Alignment(tuple(Row((place,)) for place in range(len(alone))), 0.0)
    rows = np.full((len(trajectories[0]), len(trajectories)), LACKING)
    rows[:, 0] = range(len(rows))
    left = list(range(1, len(trajectories)))
    total = 0
    while left:
        tried = {actor: _filled(_costs(rows, actor, len(trajectories[actor]), found)) for actor in left}
        actor = min(left, key=lambda one: (tried[one].cost, one))
        total += tried[actor].cost
        path = np.array(_traced(tried[actor]), dtype=np.int64).reshape(-1, 2)
        joined = np.full((len(path), len(trajectories)), LACKING)
        has_row = path[:, 0] != LACKING
        joined[has_row] = rows[path[has_row, 0]]
        joined[:, actor] = path[:, 1]
        rows = joined
        left.remove(actor)
    return Alignment(settled(_rows(rows, found), trajectories), total / UNIT)


def _costs(rows: Places, actor: int, length: int, found: Found) -> Places:
    """Of each row beside each of an actor's moments: a row's best member counts."""
    import numpy as np

    best = np.zeros((len(rows), length))
    for other in range(rows.shape[1]):
        there = rows[:, other] != LACKING
        if there.any():
            alike = found[other, actor].alike if other < actor else found[actor, other].alike.T
            best[there] = np.maximum(best[there], alike[rows[there, other]])
    return np.rint(CONSTANTS.mismatch * (1.0 - best)).astype(np.int64)


def _rows(places: Places, found: Found) -> list[Row]:
    import numpy as np

    similarity = np.ones(len(places))
    agreed, act = np.ones(len(places), dtype=bool), np.ones(len(places), dtype=bool)
    for (a, b), one in found.items():
        both = (places[:, a] != LACKING) & (places[:, b] != LACKING)
        at = places[both, a], places[both, b]
        similarity[both] = np.minimum(similarity[both], one.alike[at])
        agreed[both] &= one.same[at]
        act[both] &= one.same[at] | one.unequal[at]
    told = zip(places.tolist(), similarity.tolist(), agreed.tolist(), act.tolist(), strict=True)
    return [
        Row(tuple(None if place == LACKING else place for place in row), alike, same, done)
        for row, alike, same, done in told
    ]


class _Tables(msgspec.Struct, frozen=True):
    """Cheapest costs of what is left from a row and a column on, if it begins with a pair, a lone row or a
    lone column.

    Done from the end, so that what is traced first, and preferred among equals, is the beginning: row and
    column 0 of the tables are the ends of both.
    """

    both: Places
    left: Places
    right: Places

    @property
    def cost(self) -> int:
        return int(min(one[-1, -1] for one in (self.both, self.left, self.right)))


def _filled(costs: Places) -> _Tables:
    """A row is computed at once: the cheapest run of lone columns that ends at j began at the k < j with the
    least `cost[k] - k * CONSTANTS.gap_extend`, which is a running minimum.
    """
    import numpy as np

    pair = costs[::-1, ::-1]
    height, width = pair.shape
    both, left, right = (np.full((height + 1, width + 1), _FAR, dtype=np.int64) for _ in range(3))
    both[0, 0] = 0
    ramp = np.arange(width + 1, dtype=np.int64) * CONSTANTS.gap_extend
    for row in range(height + 1):
        if row:
            before = np.minimum(np.minimum(both[row - 1], left[row - 1]), right[row - 1])
            both[row, 1:] = before[:-1] + pair[row - 1]
            opened = np.minimum(both[row - 1], right[row - 1]) + CONSTANTS.gap_open
            left[row] = np.minimum(opened, left[row - 1]) + CONSTANTS.gap_extend
        start = np.minimum(both[row], left[row]) - ramp
        right[row, 1:] = np.minimum.accumulate(start)[:-1] + CONSTANTS.gap_open + ramp[1:]
    return _Tables(both, left, right)


def _traced(tables: _Tables) -> list[tuple[int, int]]:
    """The cheapest way: pairs of row and column in order, `LACKING` for the one that a lone step lacks."""
    both, left, right = tables.both, tables.left, tables.right
    height, width = (size - 1 for size in both.shape)
    row, column = height, width
    at = _cheapest((both, left, right), row, column)
    path: list[tuple[int, int]] = []
    while row or column:
        if at is both:
            path.append((height - row, width - column))
            row, column = row - 1, column - 1
            at = _cheapest((both, left, right), row, column)
        elif at is left:
            path.append((height - row, LACKING))
            row -= 1
            extended = left[row, column] + CONSTANTS.gap_extend == left[row + 1, column]
            at = left if extended else _cheapest((both, right), row, column)
        else:
            path.append((LACKING, width - column))
            column -= 1
            extended = right[row, column] + CONSTANTS.gap_extend == right[row, column + 1]
            at = right if extended else _cheapest((both, left), row, column)
    return path


def _cheapest(tables: Sequence[Places], row: int, column: int) -> Places:
    return min(tables, key=lambda one: int(one[row, column]))
