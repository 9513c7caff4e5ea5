"""Which steps of several attempts at one task belong together.

Global alignment with affine gaps (Gotoh 1982) over the moments of two trajectories. Putting two moments in a
row costs `MISMATCH * (1 - similarity)`; leaving a run of k of one actor's steps without a partner costs
`GAP_OPEN + k * GAP_EXTEND`. So two steps that are less than a quarter alike rather stand alone, and one long
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
from webbench.core.analysis.compare.partings import Row, settled
from webbench.core.analysis.compare.similarity import Judged, judged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNIT = 10_000
MISMATCH = 16_000
GAP_OPEN = 2_500
GAP_EXTEND = 3_500
_FAR = 1 << 40


class Alignment(msgspec.Struct, frozen=True):
    """Rows in order; `cost` is the sum of the steps' costs divided by `UNIT`, pairwise for two actors."""

    rows: tuple[Row, ...]
    cost: float


def align(trajectories: Sequence[Sequence[Moment]], strictness: float = 0.0) -> Alignment:
    """Align two or more attempts; the first is the reference where there are more than two.

    Args:
        strictness: is added to the shares of words from which two acts are the same.
    """
    if not trajectories:
        return Alignment((), 0.0)
    if len(trajectories) == 1:
        return Alignment(tuple(Row((place,)) for place in range(len(trajectories[0]))), 0.0)
    found = {
        (a, b): judged(trajectories[a], trajectories[b], strictness)
        for a, b in combinations(range(len(trajectories)), 2)
    }
    alike = {pair: one.alike for pair, one in found.items()}
    joined = [0]
    rows: list[dict[int, int]] = [{0: place} for place in range(len(trajectories[0]))]
    total = 0
    while len(joined) < len(trajectories):
        tried = [
            (*_path(_profile(rows, actor, len(trajectories[actor]), alike)), actor)
            for actor in range(len(trajectories))
            if actor not in joined
        ]
        cost, path, actor = min(tried, key=lambda one: (one[0], one[2]))
        rows = [_joined_row(rows, actor, row, place) for row, place in path]
        total += cost
        joined.append(actor)
    told = [_row(row, len(trajectories), found) for row in rows]
    return Alignment(settled(told, trajectories), total / UNIT)


Alike = dict[tuple[int, int], "NDArray[np.float64]"]


def _profile(rows: Sequence[dict[int, int]], actor: int, length: int, alike: Alike) -> NDArray[np.float64]:
    """How like each row is to each of an actor's moments: its best member counts."""
    import numpy as np

    best = np.zeros((len(rows), length))
    for at, row in enumerate(rows):
        for other, place in row.items():
            values = alike[other, actor][place] if other < actor else alike[actor, other][:, place]
            best[at] = np.maximum(best[at], values)
    return best


def _joined_row(
    rows: Sequence[dict[int, int]], actor: int, row: int | None, place: int | None
) -> dict[int, int]:
    members = dict(rows[row]) if row is not None else {}
    return members if place is None else members | {actor: place}


def _row(row: dict[int, int], actors: int, found: dict[tuple[int, int], Judged]) -> Row:
    pairs = [(found[a, b], row[a], row[b]) for a, b in combinations(sorted(row), 2)]
    return Row(
        places=tuple(row.get(actor) for actor in range(actors)),
        similarity=min((float(one.alike[a, b]) for one, a, b in pairs), default=1.0),
        agreed=all(one.same[a, b] for one, a, b in pairs),
        act=all(one.same[a, b] or one.unequal[a, b] for one, a, b in pairs),
    )


def _path(alike: NDArray[np.float64]) -> tuple[int, list[tuple[int | None, int | None]]]:
    """The cheapest alignment of rows and columns: its cost, and the pairs in order.

    Done from the end, so that what is traced back first, and preferred among equals, is the beginning.
    """
    import numpy as np

    height, width = alike.shape
    pair = np.rint(MISMATCH * (1.0 - alike[::-1, ::-1])).astype(np.int64)
    cost, path = _traced(pair, *_filled(pair))
    return cost, [
        (None if row is None else height - 1 - row, None if column is None else width - 1 - column)
        for row, column in path
    ]


def _filled(pair: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Cheapest costs of prefixes that end in a pair, in a lone row, in a lone column.

    A row is computed at once: the cheapest run of lone columns that ends at j began at the k < j with the
    least `cost[k] - k * GAP_EXTEND`, which is a running minimum.
    """
    import numpy as np

    height, width = pair.shape
    both, left, right = (np.full((height + 1, width + 1), _FAR, dtype=np.int64) for _ in range(3))
    both[0, 0] = 0
    ramp = np.arange(width + 1, dtype=np.int64) * GAP_EXTEND
    for row in range(height + 1):
        if row:
            before = np.minimum(np.minimum(both[row - 1], left[row - 1]), right[row - 1])
            both[row, 1:] = before[:-1] + pair[row - 1]
            opened = np.minimum(both[row - 1], right[row - 1]) + GAP_OPEN
            left[row] = np.minimum(opened, left[row - 1]) + GAP_EXTEND
        start = np.minimum(both[row], left[row]) - ramp
        right[row, 1:] = np.minimum.accumulate(start)[:-1] + GAP_OPEN + ramp[1:]
    return both, left, right


def _traced(
    pair: NDArray[np.int64], both: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[int, list[tuple[int | None, int | None]]]:
    row, column = pair.shape
    tables = {"both": both, "left": left, "right": right}
    at = _cheapest(tables, row, column, ("both", "left", "right"))
    cost = int(tables[at][row, column])
    path: list[tuple[int | None, int | None]] = []
    while row or column:
        here = int(tables[at][row, column])
        if at == "both":
            row, column = row - 1, column - 1
            path.append((row, column))
            at = _cheapest(tables, row, column, ("both", "left", "right"))
        elif at == "left":
            row -= 1
            path.append((row, None))
            extended = int(left[row, column]) + GAP_EXTEND == here
            at = "left" if extended else _cheapest(tables, row, column, ("both", "right"))
        else:
            column -= 1
            path.append((None, column))
            extended = int(right[row, column]) + GAP_EXTEND == here
            at = "right" if extended else _cheapest(tables, row, column, ("both", "left"))
    return cost, path


def _cheapest(tables: dict[str, NDArray[np.int64]], row: int, column: int, names: Sequence[str]) -> str:
    return min(names, key=lambda name: int(tables[name][row, column]))
