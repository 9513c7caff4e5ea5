"""What readers say of a pair, and what an alignment says of it, in one form. `README.md` has the rules."""

from __future__ import annotations

from pathlib import Path

import msgspec

LABELS = Path(__file__).with_name("labels.json")

Steps = tuple[int, int]
"""A step of each side, or the first and the last step of a range; numbers are those of the record."""


class Ranges(msgspec.Struct, frozen=True):
    """Ranges of steps of each side."""

    a: tuple[Steps, ...] = ()
    b: tuple[Steps, ...] = ()

    def steps(self) -> set[tuple[str, int]]:
        sides = {"a": self.a, "b": self.b}
        return {
            (side, step)
            for side, ranges in sides.items()
            for first, last in ranges
            for step in range(first, last + 1)
        }


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to where the sides part and meet.

    Attributes:
        accepted: first divergences, best first; None where they never part. A side that has ended takes the
            number after its last step.
        meetings: steps in which both do the same on the same page.
        detours: steps that one side alone needs before both go on alike.
        loops: stretches that come back to what was done before.
        sure: the reader expects others to give the same first divergence.
    """

    accepted: tuple[Steps | None, ...]
    meetings: tuple[Steps, ...] = ()
    detours: Ranges = Ranges()
    loops: Ranges = Ranges()
    sure: bool = True

    @property
    def first(self) -> Steps | None:
        return self.accepted[0]


class Label(Reading, frozen=True, kw_only=True):
    """The settled answer, with those of the two readers.

    Attributes:
        open: meetings that may be seen either way; they count neither as right nor as wrong.
        why: what parts the two, or how readers who differed were settled.
        readers: by their names.
    """

    pair: int
    open: tuple[Steps, ...]
    why: str
    readers: dict[str, Reading]


def settled_labels() -> dict[int, Label]:
    """By the pair's number."""
    return {label.pair: label for label in msgspec.json.decode(LABELS.read_bytes(), type=list[Label])}
