"""Loops, oscillations and invalid actions of one attempt, and the steps that it wasted by them.

- *loop*: the same action on the same page state as at an earlier step, with everything between; of a page
  without a recorded tree nobody knows whether it is the same;
- *oscillation*: two page states that take turns at least twice (A B A B);
- *invalid*: an action that could not be done, or text that was no action;
- *wasted*: the steps of a loop after its first, and invalid ones. An oscillation is told but not counted as
  wasted: people too go to and fro between two pages to compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.compare.compared_step import Moment

SHORTEST_OSCILLATION = 4

Kind = Literal["loop", "oscillation", "invalid"]


class Stretch(msgspec.Struct, frozen=True):
    """Moments `first` to `last` (positions in the attempt's list, both included)."""

    kind: Kind
    first: int
    last: int


def circles(attempt: Sequence[Moment]) -> tuple[Stretch, ...]:
    """Loops, oscillations and invalid actions of one attempt, in order."""
    found = [Stretch("invalid", at, at) for at, moment in enumerate(attempt) if not moment.ok]
    return tuple(sorted([*found, *_loops(attempt), *_oscillations(attempt)], key=lambda one: one.first))


def wasted(stretches: Sequence[Stretch]) -> tuple[int, ...]:
    """Positions that a loop came back over (all but its first step's) and those that could not be done."""
    places: set[int] = set()
    for stretch in stretches:
        if stretch.kind == "loop":
            places |= set(range(stretch.first + 1, stretch.last + 1))
        elif stretch.kind == "invalid":
            places.add(stretch.first)
    return tuple(sorted(places))


def _loops(attempt: Sequence[Moment]) -> list[Stretch]:
    """From an action to its last repetition on the same state; stretches don't overlap."""
    last: dict[object, int] = {}
    for at, moment in enumerate(attempt):
        if _is_seen(moment):
            last[moment.key] = at
    found = []
    at = 0
    while at < len(attempt):
        end = last.get(attempt[at].key, at) if _is_seen(attempt[at]) else at
        if end > at:
            found.append(Stretch("loop", at, end))
        at = end + 1
    return found


def _is_seen(moment: Moment) -> bool:
    """Whether its state is that of a tree: an address alone stays while the page changes."""
    return bool(moment.state and moment.shingles)


def _oscillations(attempt: Sequence[Moment]) -> list[Stretch]:
    """Longest runs in which two states take turns."""
    found = []
    first = 0
    for at in range(1, len(attempt) + 1):
        if at < len(attempt) and _swings(attempt, first, at):
            continue
        if at - first >= SHORTEST_OSCILLATION:
            found.append(Stretch("oscillation", first, at - 1))
        first = at - 1 if at < len(attempt) and _differ(attempt[at - 1], attempt[at]) else at
    return found


def _swings(attempt: Sequence[Moment], first: int, at: int) -> bool:
    if not _differ(attempt[at - 1], attempt[at]):
        return False
    return at - first < 2 or attempt[at].state == attempt[at - 2].state


def _differ(one: Moment, other: Moment) -> bool:
    return bool(one.state and other.state and one.state != other.state)
