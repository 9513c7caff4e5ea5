"""Time per phase: stretches of an alignment in which everybody does the same, and those between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

import msgspec

from webbench.core.analysis.compare.parting_rows import Row


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Rows `first` to `last` (both included).

    Attributes:
        kind: "together" where every row is the same for all, else "apart".
        steps: number of steps per actor.
        seconds: how long they took per actor, None for an attempt without any recorded time.
    """

    kind: Literal["together", "apart"]
    first: int
    last: int
    steps: tuple[int, ...]
    seconds: tuple[float | None, ...]


def phases(rows: Sequence[Row], seconds: Sequence[Sequence[float]]) -> tuple[Phase, ...]:
    """In the order of rows; `seconds` are those of each actor's moments."""
    timed = [any(actor) for actor in seconds]
    found = []
    for same, stretch in groupby(range(len(rows)), key=lambda at: rows[at].same):
        numbers = list(stretch)
        places = [[rows[at].places[actor] for at in numbers] for actor in range(len(seconds))]
        taken = [[place for place in one if place is not None] for one in places]
        found.append(
            Phase(
                kind="together" if same else "apart",
                first=numbers[0],
                last=numbers[-1],
                steps=tuple(map(len, taken)),
                seconds=tuple(
                    sum(seconds[actor][place] for place in one) if timed[actor] else None
                    for actor, one in enumerate(taken)
                ),
            )
        )
    return tuple(found)
