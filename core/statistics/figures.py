"""Figures, ready to be drawn: tables, bars, heat maps, flows, in sections of an analysis.

Screens, commands and reports draw these; none of them computes. Every row and bar names the episodes that
it rests on as "run/episode", so that whoever doubts a figure can open them. Actors are called by the letters
that the analysis gives to its runs.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.statistics.estimates import Estimate
from webbench.core.text.no_value import NO_VALUE

Cell = str | int | float | Estimate | None
"""None is shown as "–": there is no such figure, which is not 0."""

ColumnKind = Literal["text", "number", "p"]


class Column(msgspec.Struct, frozen=True):
    """`optional` ones may be left out where there is little room; `signed` ones are drawn around 0."""

    title: str
    kind: ColumnKind = "number"
    optional: bool = False
    signed: bool = False


class Row(msgspec.Struct, frozen=True):
    """One line of a table; `episodes` are those that it rests on."""

    cells: tuple[Cell, ...]
    episodes: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True, kw_only=True, tag="table", tag_field="figure"):
    """Rows of cells; `note` is read with it: what a column means, what was left out."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """One value of an actor in a group.

    Attributes:
        value: a share from 0 to 1, or a count.
        low, high: ends of the whisker, None where there is none.
        n: what the value is over.
    """

    group: str
    actor: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    episodes: tuple[str, ...] = ()


class Bars(msgspec.Struct, frozen=True, kw_only=True, tag="bars", tag_field="figure"):
    """Values by group and actor; groups in the order of their first bar."""

    title: str
    unit: Literal["share", "count"]
    bars: tuple[Bar, ...]
    over: str = ""
    """What the groups are: "steps", "success within a template"."""
    note: str = ""

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(bar.group for bar in self.bars))

    @property
    def actors(self) -> tuple[str, ...]:
        return tuple(sorted({bar.actor for bar in self.bars}))

    @property
    def top(self) -> float:
        """The end of the scale."""
        return 1.0 if self.unit == "share" else max([1.0, *(bar.value for bar in self.bars)])


class HeatMap(msgspec.Struct, frozen=True, kw_only=True, tag="heat", tag_field="figure"):
    """Shares from 0 to 1 by row and column; None where there is nothing to take a share of.

    Attributes:
        counts: what each row's shares are over.
        episodes: behind each row.
    """

    title: str
    over: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    counts: tuple[int, ...]
    episodes: tuple[tuple[str, ...], ...]
    note: str = ""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """How often actors went from a state to another.

    Attributes:
        place: of the source on the way, from 0.
        counts: by actor.
    """

    place: int
    source: str
    target: str
    counts: dict[str, int]
    episodes: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Flow(msgspec.Struct, frozen=True, kw_only=True, tag="flow", tag_field="figure"):
    """Ways through page states, place by place: what a Sankey diagram draws."""

    title: str
    actors: tuple[str, ...]
    links: tuple[Link, ...]
    note: str = ""


Figure = Table | Bars | HeatMap | Flow


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Figures that answer one question.

    Attributes:
        name: short, for commands ("steps").
        about: how to read it, in a sentence or two.
    """

    name: str
    title: str
    about: str
    figures: tuple[Figure, ...]


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """A run and the letter that figures call it by."""

    letter: str
    run: str
    agent: str


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """A whole analysis.

    Attributes:
        methods: how the figures came about, in sentences for the section of a paper.
        problems: episodes that could not be read, and what else is missing.
    """

    benchmark: str
    actors: tuple[Actor, ...]
    sections: tuple[Section, ...]
    methods: tuple[str, ...]
    problems: tuple[str, ...] = ()


def letter(at: int) -> str:
    """The letter of the run at this place: A to Z, then A1 to Z1, and so on."""
    return chr(ord("A") + at % 26) + (str(at // 26) if at >= 26 else "")


def cell_text(cell: Cell, kind: ColumnKind = "number") -> str:
    """A cell as people read it: three decimals, an interval behind its value, "–" for nothing."""
    match cell:
        case None:
            return NO_VALUE
        case Estimate():
            return _estimate_text(cell)
        case float() if kind == "p":
            return "<0.001" if cell < 0.001 else f"{cell:.3f}"
        case float():
            return f"{cell:.3f}"
        case _:
            return str(cell)


def _estimate_text(estimate: Estimate) -> str:
    if estimate.value is None:
        return NO_VALUE
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
