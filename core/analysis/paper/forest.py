"""Forest plot: success rates of runs with Wilson's intervals, and differences of pairs on common tasks."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.paper.paper_figure import (
    Interval,
    Intervals,
    Panel,
    PaperFigure,
    actor_names,
    without_score,
)
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.success_rates import rates_of
from webbench.core.statistics.estimates import LEVEL
from webbench.core.statistics.figures import Cell, Column, Row, Table

MOST_PAIRS = 15
"""Of differences drawn: six agents have as many pairs."""
COLUMNS = (
    Column("what", "text"),
    Column("first", "text"),
    Column("second", "text"),
    Column("estimate"),
    Column("interval", "text"),
    Column("episodes"),
    Column("solved"),
    Column("p", "p"),
    Column("p Holm", "p"),
)


def forest_figure(runs: Sequence[RecordedRun], *, seed: int = 0) -> PaperFigure:
    """Rates above, paired differences below."""
    found = rates_of(runs, seed=seed)
    names = actor_names(runs)
    rows: list[Row] = []
    rates: list[Interval] = []
    for one, run in zip(found.runs, runs, strict=True):
        behind = tuple(episode.name for episode in run.scored)
        solved = sum(task.solved for task in one.tasks)
        cells: tuple[Cell, ...] = ("rate", names[one.run], "", one.success, one.success.method)
        rows.append(Row((*cells, len(behind), solved, None, None), behind))
        if one.success.value is not None:
            rates.append(Interval(label=names[one.run], estimate=one.success))
    pairs: list[Interval] = []
    unpaired = 0
    for pair in found.pairs:
        first, second = names[pair.first], names[pair.second]
        cells = ("difference", first, second, pair.solved, pair.solved.method)
        rows.append(Row((*cells, None, None, pair.difference.p, pair.p_holm)))
        unpaired += sum(
            len(one.tasks) - pair.tasks for one in found.runs if one.run in (pair.first, pair.second)
        )
        if pair.solved.value is not None:
            pairs.append(Interval(label=first, against=second, estimate=pair.solved))
    drawn = _drawn(pairs, rates)
    alone = (
        {"differences that stand in the table alone": len(pairs) - len(drawn)}
        if drawn != tuple(pairs)
        else {}
    )
    panels = [
        Panel(title="Success rate", axis="share of tasks solved", scale="share", rows=tuple(rates)),
        Panel(title="Paired difference", axis="difference of shares", scale="difference", rows=drawn),
    ]
    shown = tuple(panel for panel in panels if panel.rows)
    return PaperFigure(
        name="forest",
        title="Success rates and paired differences",
        caption=f"Share of tasks solved with {100 * LEVEL:.0f} % intervals (Wilson's score interval), and "
        "differences on the tasks that both have scored (percentile intervals of a cluster bootstrap). n "
        "counts tasks. A task is solved where each of its scored episodes reached 1."
        + (" Of the differences those from the highest rate are drawn." if alone else ""),
        plot=Intervals(panels=shown) if rates else None,
        table=Table(title="Success rates and paired differences", columns=COLUMNS, rows=tuple(rows)),
        left_out=without_score(runs) | {"tasks that one of a pair alone has scored": unpaired} | alone,
        empty="" if rates else "no episode of these runs has a score",
    )


def _drawn(pairs: Sequence[Interval], rates: Sequence[Interval]) -> tuple[Interval, ...]:
    """All differences, or where they are too many those from the highest rate: one rule for all runs."""
    if len(pairs) <= MOST_PAIRS:
        return tuple(pairs)
    highest = max(rates, key=lambda one: one.estimate.value or 0.0).label
    return tuple(one for one in pairs if highest in (one.label, one.against))[:MOST_PAIRS]
