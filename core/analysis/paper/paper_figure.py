"""A paper figure: what is drawn, the table of its numbers, and what was left out, before it is drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Literal

import msgspec

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.observation import Screenshot
from webbench.core.score.score import Status
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Flow, Table
from webbench.core.statistics.survival import Survival

SHOWN = 20
"""Signs without a font that a caption tells."""

Scale = Literal["share", "difference", "amount"]


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


class Cell(msgspec.Struct, frozen=True):
    """A cell of a matrix: `shade` from 0 to 1, None where there is no number; `text` stands in it."""

    shade: float | None
    text: str = ""


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Rows by columns; `across` and `down` say what columns and rows are."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    across: str = ""
    down: str = ""


class Matrices(msgspec.Struct, frozen=True, kw_only=True, tag="matrices", tag_field="plot"):
    """Shaded cells; `key` says what shades and letters mean, by the letter."""

    matrices: tuple[Matrix, ...]
    key: str = ""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its whisker at a place on the axis."""

    actor: str
    x: float
    estimate: Estimate


class Scatter(msgspec.Struct, frozen=True, kw_only=True):
    """Points over a measured axis; `joined`: a line leads through an actor's."""

    title: str
    axis: str
    points: tuple[Point, ...]
    joined: bool = False


class Scatters(msgspec.Struct, frozen=True, kw_only=True, tag="scatters", tag_field="plot"):
    """Side by side, with one legend; a panel without points is not drawn."""

    panels: tuple[Scatter, ...]
    actors: tuple[str, ...]


class Curves(msgspec.Struct, frozen=True, kw_only=True, tag="curves", tag_field="plot"):
    """Survival by actor, in the order of their colours."""

    axis: str
    curves: tuple[tuple[str, Survival], ...]


class Histogram(msgspec.Struct, frozen=True, kw_only=True, tag="histogram", tag_field="plot"):
    """Counts by group and actor; `apart` groups stand aside at the end."""

    axis: str
    groups: tuple[str, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]
    apart: int = 0


class Growth(msgspec.Struct, frozen=True, kw_only=True, tag="growth", tag_field="plot"):
    """What each further item brought that is new, in order: bars, and a line for their sum so far."""

    axis: str
    new: tuple[int, ...]


class Flowing(msgspec.Struct, frozen=True, kw_only=True, tag="flowing", tag_field="plot"):
    """A Sankey diagram; `names` of actors by the letters that the flow has."""

    flow: Flow
    names: Mapping[str, str]


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where an actor's action pointed, in pixels of the picture: a box, or a point (width and height 0)."""

    actor: str
    words: str
    x: float
    y: float
    width: float = 0.0
    height: float = 0.0


class MarkedPicture(msgspec.Struct, frozen=True, kw_only=True, tag="picture", tag_field="plot"):
    """A screenshot with the targets of several actors, the reference's first."""

    picture: Screenshot
    targets: tuple[Target, ...]


Plot = Intervals | Matrices | Scatters | Curves | Histogram | Growth | Flowing | MarkedPicture


class PaperFigure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of a paper.

    Attributes:
        name: of its files: "forest", "errors-merged".
        caption: how to read it, in sentences; what was left out follows it.
        plot: None where there is nothing to draw; `empty` says why.
        table: its numbers, whole: the CSV. `printed` is the table for LaTeX where that is another one.
        left_out: how many of what are in no number of it.
        undrawn: signs that stand as boxes in the picture, as no font here has them.
    """

    name: str
    title: str
    caption: str
    plot: Plot | None
    table: Table
    printed: Table | None = None
    left_out: Mapping[str, int] = {}
    empty: str = ""
    undrawn: str = ""

    @property
    def whole_caption(self) -> str:
        told = "; ".join(f"{what}: {count:,}" for what, count in self.left_out.items() if count)
        more = f" and {len(self.undrawn) - SHOWN:,} more" if len(self.undrawn) > SHOWN else ""
        signs = " ".join(self.undrawn[:SHOWN])
        boxes = f" No font here has {signs}{more}, drawn as boxes." if self.undrawn else ""
        return f"{self.caption} Left out: {told or 'nothing'}.{boxes}"


def no_figure(name: str, title: str, why: str, left_out: Mapping[str, int] = {}) -> PaperFigure:
    """One that there is nothing for."""
    table = Table(title=title, columns=(), rows=())
    return PaperFigure(
        name=name,
        title=title,
        caption=f"{title}: {why}.",
        plot=None,
        table=table,
        left_out=left_out,
        empty=why,
    )


def actor_names(runs: Sequence[RecordedRun]) -> dict[str, str]:
    """What figures call each run: its agent, without what all agents' names begin with.

    Where several runs have the same agent, the end of the run's name stands behind it if no other ends so.
    """
    agents = Counter(run.agent for run in runs)
    begin = len(shared_beginning(list(agents)))
    ends = Counter(run.run.rpartition("_")[2] for run in runs)
    found = {}
    for run in runs:
        end = run.run.rpartition("_")[2]
        told = end if ends[end] == 1 else run.run
        name = run.agent[begin:] or run.agent or "nobody"
        found[run.run] = name if agents[run.agent] == 1 else f"{name} ({told})"
    return found


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
