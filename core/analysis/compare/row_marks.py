"""Marks of a comparison's rows, and how every actor stands in one; for screens, tables and pages alike."""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.analysis.compare.alignment import Alignment
from webbench.core.analysis.compare.divergence import Divergence
from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.analysis.compare.wasted_steps import Stretch
from webbench.core.score.score import Score
from webbench.core.trajectory import Trajectory

RowKind = Literal["same", "parts", "differs", "aside", "meets"]
"""Everybody does the same; the parting; any other row in which they go different ways; what one of them needs
besides; the same again after they differed."""

Flag = Literal["invalid", "loop", "oscillation", "detour"]

FLAG_WORDS: dict[Flag, str] = {
    "invalid": "invalid",
    "loop": "loop",
    "oscillation": "to and fro",
    "detour": "detour",
}


class MarkedRow(msgspec.Struct, frozen=True):
    """One row of the alignment.

    Attributes:
        kind: how it stands to the others.
        unequal: the same action had an effect for one and none for another.
        flags: per actor what is to be said of its step; empty where it has none.
        stop: a difference begins here: what "next difference" goes to.
    """

    kind: RowKind
    unequal: bool
    flags: tuple[tuple[Flag, ...], ...]
    stop: bool


def marked_rows(alignment: Alignment, divergence: Divergence) -> tuple[MarkedRow, ...]:
    """A mark for each row of the alignment."""
    rows = alignment.rows
    unequal = {one.row for one in divergence.unequal}
    return tuple(
        MarkedRow(
            kind=_kind(at, row, divergence),
            unequal=at in unequal,
            flags=tuple(
                () if place is None else _flags(at, actor, place, divergence)
                for actor, place in enumerate(row.places)
            ),
            stop=at in unequal or (row.apart and (at == 0 or not rows[at - 1].apart)),
        )
        for at, row in enumerate(rows)
    )


def extra_rows(alignment: Alignment, actor: int) -> tuple[int, ...]:
    """The rows that only this actor has."""
    return tuple(at for at, row in enumerate(alignment.rows) if row.alone and row.places[actor] is not None)


def standing(alignment: Alignment, row: int, actor: int) -> int | None:
    """The place of an actor's step in a row, else of its next one; None where it has ended."""
    places = (one.places[actor] for one in alignment.rows[row:])
    return next((place for place in places if place is not None), None)


def score_at(trajectory: Trajectory, index: int) -> tuple[Score | None, int | None]:
    """The score of a step, or the latest before it, with that step's index.

    Where no step was scored, that of the whole episode with None for the step.
    """
    scored = [step for step in trajectory.steps if step.score is not None]
    if not scored:
        return trajectory.header.score, None
    latest = next((step for step in reversed(scored) if step.index <= index), None)
    return (None, None) if latest is None else (latest.score, latest.index)


def _kind(at: int, row: Row, divergence: Divergence) -> RowKind:
    if row.same:
        return "meets" if at in divergence.reconvergences else "same"
    if not row.apart:
        return "aside"
    return "parts" if at == divergence.first else "differs"


def _flags(at: int, actor: int, place: int, divergence: Divergence) -> tuple[Flag, ...]:
    found: list[Flag] = list(dict.fromkeys(_kinds(place, divergence.stretches[actor])))
    if any(one.actor == actor and one.first <= at <= one.last for one in divergence.detours):
        found.append("detour")
    return tuple(found)


def _kinds(place: int, stretches: tuple[Stretch, ...]) -> list[Flag]:
    order: tuple[Flag, ...] = ("invalid", "loop", "oscillation")
    there = {one.kind for one in stretches if one.first <= place <= one.last}
    return [kind for kind in order if kind in there]
