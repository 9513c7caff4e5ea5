"""A paper figure: what is drawn, the table of its numbers, and what was left out, before it is drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Literal

import msgspec

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.score.score import Status
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Table

Scale = Literal["share", "difference"]


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A value with its whisker, on the line called `label`; several actors share a line.

    Attributes:
        against: whom a difference is from.
    """

    label: str
    against: str = ""
    actor: str = ""
    estimate: Estimate


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """Intervals over one axis; `axis` says what it measures."""

    title: str
    axis: str
    scale: Scale
    rows: tuple[Interval, ...]


class Intervals(msgspec.Struct, frozen=True, kw_only=True, tag="intervals", tag_field="plot"):
    """Lines with whiskers: a forest plot, or the codes of a taxonomy.

    Attributes:
        actors: in the order of their colours and markers; empty where lines aren't shared.
    """

    panels: tuple[Panel, ...]
    actors: tuple[str, ...] = ()


Plot = Intervals


class PaperFigure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of a paper.

    Attributes:
        kind: its name in commands and of its files: "forest".
        caption: how to read it, in sentences; what was left out follows it.
        plot: None where there is nothing to draw; `empty` says why.
        table: its numbers, whole: the CSV and the LaTeX table.
        left_out: how many of what are in no number of it.
    """

    kind: str
    title: str
    caption: str
    plot: Plot | None
    table: Table
    left_out: Mapping[str, int] = {}
    empty: str = ""

    @property
    def whole_caption(self) -> str:
        told = "; ".join(f"{what}: {count:,}" for what, count in self.left_out.items() if count)
        return f"{self.caption} Left out: {told or 'nothing'}."


def actor_names(runs: Sequence[RecordedRun]) -> dict[str, str]:
    """What figures call each run: its agent, without what all agents' names begin with.

    Where several runs have the same agent, the run's name stands behind it.
    """
    agents = Counter(run.agent for run in runs)
    begin = len(shared_beginning(list(agents)))
    named = {run.run: run.agent[begin:] or run.agent or "nobody" for run in runs}
    return {
        run.run: named[run.run] if agents[run.agent] == 1 else f"{named[run.run]} ({run.run})" for run in runs
    }


def shared_beginning(names: Sequence[str]) -> str:
    """What all of several names begin with, up to the last mark between words: "GenericAgent-"."""
    if len(names) < 2:
        return ""
    columns = zip(*names, strict=False)
    alike = "".join(letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, columns))
    return re.sub(r"[^-_/ ]*\Z", "", alike)


def without_score(runs: Sequence[RecordedRun]) -> dict[str, int]:
    """Episodes by why they have no score, and attempts that don't count."""
    found: Counter[str] = Counter()
    for run in runs:
        found.update(run.states)
    return {
        f"episodes {state.replace('_', ' ')}": count
        for state, count in found.items()
        if state != Status.SCORED.value
    }
