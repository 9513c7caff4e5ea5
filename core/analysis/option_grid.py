"""Runs by the options of their agents: a table of the grid, and for each option what its values come to.

As TurkingBench's table 4 and figure 6: models by modality, HTML and number of demonstrations, with the
length of the input. Options are those in which the agents' specs differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import msgspec

from webbench.core.agent import AGENT_OPTION, options_in
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.agent_work import Work
from webbench.core.analysis.runs.success_rates import Rates
from webbench.core.models.spending import added
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Bar, Bars, Cell, Column, Figure, Row, Section, Table
from webbench.core.statistics.mean import mean
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plural import counted

OPTIONS = "options"
ABOUT = (
    "Runs by those options in which the specs of their agents differ (– where a spec doesn't give one). "
    "Input: tokens that a call of a model took in, on average over the calls that tell it. The mean of an "
    "option's value is over those runs alone that have a counterpart for every value, all other options and "
    "the tasks alike; it says how the values compare there, and no more."
)


class _Cell(msgspec.Struct, frozen=True):
    """A run in the grid: what its agent was told, how it did, and what its models read."""

    letter: str
    options: Mapping[str, str]
    mean: Estimate
    tasks: frozenset[str]
    episodes: tuple[str, ...]
    tokens: float | None


def options_section(
    runs: Mapping[str, RecordedRun], found: Rates, work: Mapping[str, Sequence[Work]]
) -> Section | None:
    """None where the agents' specs differ in no option but the agent's name.

    Args:
        found: of the same runs, in the same order.
        work: of their episodes, by the same letters.
    """
    told = {letter: options_in(run.spec) for letter, run in runs.items()}
    names = tuple(dict.fromkeys(name for options in told.values() for name in options))
    varied = [name for name in names if len({options.get(name) for options in told.values()}) > 1]
    if not any(name != AGENT_OPTION for name in varied):
        return None
    grid = [
        _Cell(
            letter,
            {name: told[letter].get(name, NO_VALUE) for name in varied},
            one.mean,
            frozenset(task.task for task in one.tasks),
            tuple(episode.name for episode in runs[letter].episodes),
            _tokens(work.get(letter, ())),
        )
        for letter, one in zip(runs, found.runs, strict=True)
    ]
    figures: list[Figure] = [_grid_table(varied, grid)]
    for name in varied:
        figures += [_values_table(name, grid), _bars(name, grid)]
    return Section(name=OPTIONS, title="By the agents' options", about=ABOUT, figures=tuple(figures))


def _grid_table(varied: Sequence[str], grid: Sequence[_Cell]) -> Table:
    columns = (
        Column("", "text"),
        *(Column(name, "text") for name in varied),
        *(Column("tasks"), Column("mean score"), Column("input")),
    )
    rows = tuple(
        Row(
            (one.letter, *one.options.values(), len(one.tasks), one.mean, _whole_tokens(one.tokens)),
            one.episodes,
        )
        for one in grid
    )
    return Table(title="The grid", columns=columns, rows=rows)


def _values_table(name: str, grid: Sequence[_Cell]) -> Table:
    """The values of an option over runs that are alike in all else."""
    values = _values(name, grid)
    alike: dict[tuple[object, ...], dict[str, list[_Cell]]] = {}
    for one in grid:
        others = tuple(value for option, value in one.options.items() if option != name)
        if one.mean.value is not None:
            alike.setdefault((*others, one.tasks), {}).setdefault(one.options[name], []).append(one)
    whole = [block for block in alike.values() if len(block) == len(values)]
    rows = [_value_row(value, [block[value] for block in whole]) for value in values]
    left = len(grid) - sum(len(cells) for block in whole for cells in block.values())
    note = f"{counted(left, 'run')} left out: without a scored counterpart for every value." if left else ""
    columns = (Column(name, "text"), Column("runs"), Column("mean score"), Column("input"))
    return Table(title=f"By {name}, all else alike", columns=columns, rows=tuple(rows), note=note)


def _value_row(value: str, blocks: Sequence[Sequence[_Cell]]) -> Row:
    """A value over blocks of runs that are alike in all else; repeats within a block are averaged first."""
    cells = [one for block in blocks for one in block]
    means = [fmean([one.mean.value for one in block if one.mean.value is not None]) for block in blocks]
    tokens = [one.tokens for one in cells if one.tokens is not None]
    return Row(
        (
            value,
            len(cells),
            mean(means),
            _whole_tokens(fmean(tokens)) if tokens else None,
        ),
        tuple(name for one in cells for name in one.episodes),
    )


def _values(name: str, grid: Sequence[_Cell]) -> list[str]:
    """Of an option, numbers by size, else as the runs stand."""
    found = list(dict.fromkeys(one.options[name] for one in grid))
    numbers = {value: number for value in found if (number := _number(value)) is not None}
    return sorted(found, key=numbers.__getitem__) if len(numbers) == len(found) else found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _bars(name: str, grid: Sequence[_Cell]) -> Bars:
    bars = tuple(
        Bar(
            group=value,
            actor=one.letter,
            value=one.mean.value,
            low=one.mean.low,
            high=one.mean.high,
            n=len(one.tasks),
            episodes=one.episodes,
        )
        for value in _values(name, grid)
        for one in grid
        if one.mean.value is not None and one.options[name] == value
    )
    lacking = len(grid) - len(bars)
    note = f"{counted(lacking, 'run')} without a scored task." if lacking else ""
    return Bars(title=f"Mean score by {name}", unit="share", bars=bars, over=name, note=note)


def _tokens(work: Sequence[Work]) -> float | None:
    """Input tokens of a call, on average, of the episodes that tell them."""
    told = [one for one in work if one.calls and one.spent.input_tokens is not None]
    calls = sum(len(one.calls) for one in told)
    took = added(one.spent for one in told).input_tokens
    return took / calls if calls and took is not None else None


def _whole_tokens(tokens: float | None) -> Cell:
    return None if tokens is None else round(tokens)
