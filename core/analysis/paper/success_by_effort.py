"""Success against steps and cost: scored episodes by number of steps, and actors by what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webbench.core.analysis.paper.paper_figure import (
    PaperFigure,
    Point,
    Scatter,
    Scatters,
    actor_names,
    without_score,
)
from webbench.core.analysis.paper.read_steps import Steps
from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.analysis.runs.step_counts import bin_width
from webbench.core.models.spending import Spent
from webbench.core.statistics.estimates import LEVEL, wilson
from webbench.core.statistics.figures import Column, Row, Table

TITLE = "Success against steps and cost"
COLUMNS = (
    *(Column("panel", "text"), Column("agent", "text"), Column("from"), Column("to"), Column("mean")),
    *(Column("unit", "text"), Column("success"), Column("solved"), Column("episodes")),
)


def effort_figure(runs: Sequence[RecordedRun], steps: Steps) -> PaperFigure:
    """Success against steps, a point for each group of episodes, and against cost, one for each agent."""
    names = actor_names(runs)
    rows: list[Row] = []
    acted = {run.run: [one for one in run.scored if one.steps] for run in runs}
    spent = {name: work.spent for name, (work, _) in steps.taken.items()}
    panels = (_by_steps(runs, acted, names, rows), _by_cost(runs, spent, names, rows))
    drawn = any(panel.points for panel in panels)
    scored = [one for run in runs for one in run.scored]
    return PaperFigure(
        name="effort",
        title=TITLE,
        caption=f"Share of scored episodes that were solved, with {100 * LEVEL:.0f} % intervals (Wilson's "
        "score interval, episodes taken as independent): in groups by number of steps, drawn at the group's "
        "mean, and of each agent by what a scored episode cost on average. n counts episodes.",
        plot=Scatters(panels=panels, actors=tuple(names.values())) if drawn else None,
        table=Table(title=TITLE, columns=COLUMNS, rows=tuple(rows)),
        left_out=without_score(runs)
        | {
            "scored episodes without recorded steps (by steps)": sum(not one.steps for one in scored),
            "scored episodes without a recorded amount (by cost)": len(scored) - _counted(rows),
        },
        empty="" if drawn else "no scored episode has recorded steps or costs",
    )


def _counted(rows: Sequence[Row]) -> int:
    return sum(int(str(row.cells[8])) for row in rows if row.cells[0] == "cost")


def _by_steps(
    runs: Sequence[RecordedRun],
    acted: Mapping[str, Sequence[Recorded]],
    names: Mapping[str, str],
    rows: list[Row],
) -> Scatter:
    width = bin_width(max((one.steps for found in acted.values() for one in found), default=0))
    points = []
    for run in runs:
        for place in sorted({-(-one.steps // width) for one in acted[run.run]}):
            inside = [one for one in acted[run.run] if -(-one.steps // width) == place]
            mean = sum(one.steps for one in inside) / len(inside)
            solved = sum(one.value == 1 for one in inside)
            share = wilson(solved, len(inside))
            first, last = (place - 1) * width + 1, place * width
            cells = ("steps", names[run.run], first, last, mean, "steps", share, solved, len(inside))
            rows.append(Row(cells, tuple(one.name for one in inside)))
            points.append(Point(actor=names[run.run], x=mean, estimate=share))
    return Scatter(title="By steps", axis="steps", points=tuple(points), joined=True)


def _by_cost(
    runs: Sequence[RecordedRun], spent: Mapping[str, Spent], names: Mapping[str, str], rows: list[Row]
) -> Scatter:
    """US dollars where any episode tells them, else tokens: the two don't go on one axis."""
    scored = [one for run in runs for one in run.scored]
    money = any(spent[one.name].cost is not None for one in scored if one.name in spent)
    unit = "US$" if money else "tokens"
    points = []
    for run in runs:
        amounts: list[tuple[Recorded, float]] = []
        for one in run.scored:
            took = spent.get(one.name, Spent())
            amount = took.cost if money else took.tokens
            if amount is not None:
                amounts.append((one, float(amount)))
        if not amounts:
            continue
        mean = sum(amount for _, amount in amounts) / len(amounts)
        solved = sum(one.value == 1 for one, _ in amounts)
        share = wilson(solved, len(amounts))
        cells = ("cost", names[run.run], None, None, mean, unit, share, solved, len(amounts))
        rows.append(Row(cells, tuple(one.name for one, _ in amounts)))
        points.append(Point(actor=names[run.run], x=mean, estimate=share))
    return Scatter(title="By cost", axis=f"{unit} per scored episode", points=tuple(points))
