"""Detectable differences: what the tasks of a run can show, and how many the next one would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webbench.core.analysis.runs.success_rates import Pair, Rates, RunRates
from webbench.core.statistics.figures import Cell, Column, Figure, Row, Section, Table
from webbench.core.statistics.power import (
    POWER,
    design_effect,
    intraclass_correlation,
    paired_power,
    smallest_difference,
    tasks_needed,
    weighted_size,
)

RISES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)

ABOUT = (
    "Power is the chance to find a difference that is there, at 5 % two-sided. Tasks of one template count "
    "for less: divide their number by the design effect."
)


def planning_section(letters: Sequence[str], found: Rates) -> Section:
    """Power of what was run; `letters` are those of the runs in order."""
    figures: list[Figure] = [_runs(letters, found.runs)]
    if found.pairs:
        names = {run.run: letter for letter, run in zip(letters, found.runs, strict=True)}
        figures.append(_pairs(names, found.pairs))
    return Section(name="power", title="Power", about=ABOUT, figures=tuple(figures))


def planned_section(
    tasks: int, rate: float, *, cluster_size: float = 1, correlation: float = 0, power: float = POWER
) -> Section:
    """What a planned number of tasks can show at an expected success rate.

    Args:
        cluster_size: tasks per template, on average.
        correlation: how alike tasks of one template turn out, 0 to 1.

    Raises `UsageError` for impossible numbers.
    """
    effect = design_effect(cluster_size, correlation)
    effective = max(1, int(tasks / effect))
    rows: list[tuple[str, Cell]] = [
        ("tasks", tasks),
        ("design effect", effect),
        ("tasks that count", effective),
        ("expected success rate", rate),
        ("power", power),
        ("smallest rise shown, independent tasks", smallest_difference(effective, rate, power=power)),
    ]
    figures = (
        Table(
            title="Plan",
            columns=(Column("figure", "text"), Column("value")),
            rows=tuple(Row(cells) for cells in rows),
        ),
        _rises(effective, rate, power, effect),
    )
    return Section(name="power", title="Power", about=ABOUT, figures=figures)


def _rises(effective: int, rate: float, power: float, effect: float) -> Table:
    rows = []
    for rise in RISES:
        if rate + rise <= 1 + 1e-9:
            needed = tasks_needed(rate, min(1.0, rate + rise), power=power)
            rows.append(
                Row(
                    (
                        f"{rate:.2f} to {rate + rise:.2f}",
                        None if needed is None else -int(-needed * effect // 1),
                        paired_power(effective, min(1.0, rise), 0.0),
                        _power_with_losses(effective, rate, rise),
                    )
                )
            )
    return Table(
        title="Rises of the success rate",
        columns=(
            Column("rise", "text"),
            Column("tasks needed"),
            Column("power, none lost"),
            Column("power, 1 lost for 3 won"),
        ),
        rows=tuple(rows),
        note="Tasks needed are those of each actor, on tasks of its own. Power is that of two actors on "
        "the same tasks, by McNemar's exact test; what is lost are tasks that only the worse one solves; “–” "
        "where the rate leaves too few to win or to lose.",
    )


def _power_with_losses(tasks: int, rate: float, rise: float) -> float | None:
    """None where so many tasks can't be won, or be lost, at such a rate."""
    won, lost = 1.5 * rise, 0.5 * rise
    possible = rate + won <= 1 + 1e-9 and lost <= rate + 1e-9
    return paired_power(tasks, won, lost) if possible else None


def _runs(letters: Sequence[str], runs: Sequence[RunRates]) -> Table:
    return Table(
        title="What each run's tasks can show",
        columns=(
            Column("", "text"),
            Column("tasks"),
            Column("alike"),
            Column("design effect"),
            Column("count as"),
            Column("smallest rise"),
        ),
        rows=tuple(Row((letter, *_run_cells(run))) for letter, run in zip(letters, runs, strict=True)),
        note="The smallest rise of the success rate is what another run of so many tasks shows with power "
        f"{POWER}. Alike is how much tasks of one template turn out the same, up to 1; by the design effect "
        "that follows from it the tasks count as fewer.",
    )


def _run_cells(run: RunRates) -> tuple[Cell, ...]:
    n = len(run.tasks)
    clusters = [task.cluster for task in run.tasks]
    alike = intraclass_correlation([float(task.solved) for task in run.tasks], clusters)
    effect = design_effect(weighted_size(clusters), max(0.0, alike)) if alike is not None else None
    effective = int(n / effect) if effect else n
    rate = run.success.value
    rise = smallest_difference(effective, rate) if effective and rate is not None else None
    return n, alike, effect, effective, rise


def _pairs(letters: Mapping[str, str], pairs: Sequence[Pair]) -> Table:
    rows = [
        Row((f"{letters[pair.first]} - {letters[pair.second]}", pair.tasks, *_pair_cells(pair)))
        for pair in pairs
    ]
    return Table(
        title="Pairs: power of McNemar's test were the shares seen the true ones",
        columns=(
            Column("pair", "text"),
            Column("tasks"),
            Column("only 1st"),
            Column("only 2nd"),
            Column("power"),
        ),
        rows=tuple(rows),
        note="Power after the fact tells no more than p does: use it to plan the next run.",
    )


def _pair_cells(pair: Pair) -> tuple[Cell, ...]:
    if not pair.tasks:
        return None, None, None
    first, second = len(pair.only_first) / pair.tasks, len(pair.only_second) / pair.tasks
    return first, second, paired_power(pair.tasks, first, second)
