"""What the product's alignment says of two attempts, in the form of a label."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tests.performance.labelled_pairs.label import Ranges, Reading, Steps
from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment, moments
from webbench.core.analysis.compare.comparison import ordered
from webbench.core.analysis.compare.divergence import Divergence, diverge
from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.analysis.compare.told_acts import acts
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

CIRCLES = ("loop", "oscillation")


class Looked(msgspec.Struct, frozen=True):
    """Two attempts as they are aligned, a person's first.

    Attributes:
        ends: of each the number after its last step.
        turned: the pair's second attempt stands first.
    """

    walks: tuple[tuple[Moment, ...], ...]
    ends: tuple[int, ...]
    turned: bool


def looked_at(store: Store, a: Trajectory, b: Trajectory) -> Looked:
    sides = ordered((a, b))
    return Looked(
        walks=tuple(moments(one, look_into(store, one, [])) for one in sides),
        ends=tuple(one.steps[-1].index + 1 for one in sides),
        turned=sides[0] is not a,
    )


def aligned(pair: Looked) -> Reading:
    """Meetings are rows that count as the same."""
    walks = list(map(acts, pair.walks))
    alignment = align(walks)
    divergence = diverge(alignment, walks)
    turned = pair.turned
    first = _first(divergence, walks, pair.ends)
    met = [_steps(row, walks) for row in alignment.rows if row.same]
    detours, loops = _detours(divergence, alignment.rows, walks), _loops(divergence, walks)
    return Reading(
        accepted=((first[1], first[0]) if first is not None and turned else first,),
        meetings=tuple((right, left) if turned else (left, right) for left, right in met),
        detours=Ranges(*(detours[::-1] if turned else detours)),
        loops=Ranges(*(loops[::-1] if turned else loops)),
    )


def _steps(row: Row, walks: Sequence[Sequence[Moment]]) -> Steps:
    a, b = (walk[place].step for walk, place in zip(walks, row.places, strict=True) if place is not None)
    return a, b


def _first(divergence: Divergence, walks: Sequence[Sequence[Moment]], ends: Sequence[int]) -> Steps | None:
    """Each side's first act where they part; the number after the last step of one that has ended."""
    if divergence.first is None:
        return None
    a, b = (
        end if place is None else walk[place].step
        for walk, place, end in zip(walks, divergence.parted, ends, strict=True)
    )
    return a, b


def _detours(
    divergence: Divergence, rows: Sequence[Row], walks: Sequence[Sequence[Moment]]
) -> tuple[tuple[Steps, ...], ...]:
    found: list[list[Steps]] = [[], []]
    for detour in divergence.detours:
        walk = walks[detour.actor]
        places = [
            place
            for row in rows[detour.first : detour.last + 1]
            if (place := row.places[detour.actor]) is not None
        ]
        found[detour.actor].append((walk[places[0]].step, walk[places[-1]].step))
    return tuple(map(tuple, found))


def _loops(divergence: Divergence, walks: Sequence[Sequence[Moment]]) -> tuple[tuple[Steps, ...], ...]:
    return tuple(
        tuple((walk[one.first].step, walk[one.last].step) for one in stretches if one.kind in CIRCLES)
        for walk, stretches in zip(walks, divergence.stretches, strict=True)
    )
