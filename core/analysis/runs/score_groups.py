"""Scores by groups: what tasks are alike in (split, site, kind) and by the parts that scores are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.benchmark.benchmark import Benchmark, Traits, traits_of
from webbench.core.score.aggregates import Attempt, Breakdown, Measured
from webbench.core.score.score import Status
from webbench.core.statistics.estimates import clustered_mean
from webbench.core.statistics.figures import Cell, Column, Row, Section, Table
from webbench.core.task import Task

Facets = Mapping[str, Callable[[Task], str]]
"""What tasks may be alike in, by name; "" for a task of which it isn't known."""

VISITORS: Mapping[str, Callable[[Recorded], str]] = {
    "driver": lambda one: one.header.driver,
    "browser": lambda one: one.header.visitor.browser,
    "system": lambda one: one.header.visitor.system,
    "locale": lambda one: one.header.visitor.locale,
    "time zone": lambda one: one.header.visitor.timezone,
    "region": lambda one: one.header.visitor.region,
    "region x system x browser": lambda one: _visitor(one),
}
"""What episodes may be alike in besides: how their pages were visited (WebCanvas, table 13)."""

_NUMBERS = re.compile(r"([0-9]{1,15})")

ABOUT = (
    "Means of what is scored with 95 % intervals by cluster bootstrap (clusters are templates where tasks "
    "have them, else tasks), and n, the number of values."
)


class _Value(msgspec.Struct, frozen=True):
    of: Recorded
    measured: Measured


def facets_of(benchmark: Benchmark | None, tasks: Iterable[Task]) -> Facets:
    """Split, site and kind, and what the benchmark tells of these tasks besides."""

    def told(task: Task) -> Traits:
        return traits_of(benchmark, task)

    def other(name: str) -> Callable[[Task], str]:
        return lambda task: told(task).others.get(name, "")

    others = dict.fromkeys(name for task in tasks for name in told(task).others)
    return {
        "split": lambda task: task.split,
        "site": lambda task: task.site,
        "kind": lambda task: task.kind,
        "difficulty": lambda task: told(task).difficulty,
        "what is asked for": lambda task: _one_of_two(told(task).seeks_information, "an answer", "a change"),
        "achievable": lambda task: _one_of_two(told(task).achievable, "achievable", "unachievable"),
        **{name: other(name) for name in others},
    }


def _visitor(one: Recorded) -> str:
    """Where it isn't known, nothing: old records tell none of it."""
    seen = one.header.visitor
    return " x ".join((seen.region or "no region", seen.system, seen.browser)) if seen.browser else ""


def _one_of_two(is_so: bool | None, yes: str, no: str) -> str:
    return "" if is_so is None else yes if is_so else no


def groups_section(
    runs: Mapping[str, RecordedRun],
    facets: Facets,
    breakdowns: Sequence[Breakdown],
    rules: str,
    *,
    seed: int = 0,
) -> Section | None:
    """A table for each facet and each breakdown that tells groups apart; None where none does.

    Args:
        breakdowns: of the benchmark; where they give nothing, scores are taken apart by the names of their
            checks.
    """
    of_tasks = [_facet(name, _of_task(of), runs, seed) for name, of in facets.items()]
    of_visitors = [_facet(name, of, runs, seed) for name, of in VISITORS.items()]
    by_facet = _distinct([*of_tasks, *of_visitors])
    own = _distinct(_breakdown(one, runs, rules, seed) for one in breakdowns)
    other = Breakdown(name="check", source="", measures=checks_by_name)
    checks = _breakdown(other, runs, rules, seed)
    tells = not own and checks is not None and len(checks.rows) > 1
    found = (*by_facet, *(_distinct([checks]) if tells else own))
    if not found:
        return None
    return Section(
        name="groups", title="By split, site, visitor and part of the score", about=ABOUT, figures=found
    )


def _distinct(tables: Iterable[Table | None]) -> tuple[Table, ...]:
    """The ones there are; of two that say the same under another name the first."""
    found: dict[tuple[Row, ...], Table] = {}
    for table in tables:
        if table is not None:
            found.setdefault(table.rows, table)
    return tuple(found.values())


def checks_by_name(attempt: Attempt, rules: str) -> Iterable[Measured]:
    """The counted checks of a score, each under its name."""
    return [
        Measured(check.name, check.value)
        for check in attempt.under(rules).checks
        if check.counted and check.status is Status.SCORED and check.value is not None
    ]


def _of_task(of: Callable[[Task], str]) -> Callable[[Recorded], str]:
    return lambda one: of(one.task)


def _facet(
    name: str, of: Callable[[Recorded], str], runs: Mapping[str, RecordedRun], seed: int
) -> Table | None:
    values = {
        letter: [
            _Value(one, Measured(of(one), one.value))
            for one in run.scored
            if one.value is not None and of(one)
        ]
        for letter, run in runs.items()
    }
    groups = {value.measured.group for found in values.values() for value in found}
    return _table(f"By {name}", name, values, seed) if len(groups) > 1 else None


def _breakdown(one: Breakdown, runs: Mapping[str, RecordedRun], rules: str, seed: int) -> Table | None:
    values = {
        letter: [
            _Value(recorded, measured)
            for recorded in run.scored
            if recorded.attempt is not None
            for measured in one.measures(recorded.attempt, rules)
        ]
        for letter, run in runs.items()
    }
    if not any(values.values()):
        return None
    source = f" (as in {one.source})" if one.source else ""
    return _table(f"By {one.name}{source}", one.name, values, seed)


def _table(title: str, name: str, values: Mapping[str, list[_Value]], seed: int) -> Table:
    inside: dict[tuple[str, str], dict[str, list[_Value]]] = {}
    for letter, found in values.items():
        for value in found:
            key = (value.measured.group, value.measured.metric)
            inside.setdefault(key, {}).setdefault(letter, []).append(value)
    has_metrics = any(metric for _, metric in inside)
    rows = []
    for group, metric in sorted(inside, key=lambda key: (_counting_order(key[0]), key[1])):
        cells: list[Cell] = []
        episodes: list[str] = []
        for letter in values:
            of_run = inside[group, metric].get(letter, [])
            cells += _cells(of_run, seed)
            episodes += dict.fromkeys(one.of.name for one in of_run)
        label = (group, metric) if has_metrics else (group,)
        rows.append(Row((*label, *cells), tuple(episodes)))
    heads = [Column(name, "text"), *([Column("metric", "text")] if has_metrics else [])]
    numbers = [
        column for letter in values for column in (Column(letter), Column(f"n {letter}", optional=True))
    ]
    return Table(title=title, columns=(*heads, *numbers), rows=tuple(rows))


def _counting_order(name: str) -> list[tuple[int, int, str]]:
    """Numbers in a name by their size: "5 to 8" before "13 or more"."""
    parts = (part for part in _NUMBERS.split(name) if part)
    return [(0, int(part), "") if _NUMBERS.fullmatch(part) else (1, 0, part) for part in parts]


def _cells(inside: Sequence[_Value], seed: int) -> tuple[Cell, Cell]:
    if not inside:
        return None, 0
    clusters = [one.of.cluster for one in inside]
    return clustered_mean([one.measured.value for one in inside], clusters, seed=seed), len(inside)
