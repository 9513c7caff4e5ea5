"""Aggregates over many instances: the two averages that upstream reports, which differ, and its tables.

`published_table` takes recorded evidence; `summary`, `by_type`, `grouped` and `by_task` take scored
predictions; `BREAKDOWNS` take any attempts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from webbench.benchmarks.common.counted_scores import by_group, group_rows
from webbench.benchmarks.common.offline import Scored
from webbench.benchmarks.turkingbench.scoring.evaluate import instance_result
from webbench.benchmarks.turkingbench.scoring.field_score import PUBLISHED
from webbench.benchmarks.turkingbench.scoring.instance import InstanceResult
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.aggregates import Attempt, Breakdown, Measured
from webbench.core.score.score import Status
from webbench.core.task import Task

ALL = "all"


class TaskAverages(msgspec.Struct, frozen=True, kw_only=True):
    """One task's row of the table.

    Attributes:
        mean_of_instances: mean of the instances' scores; a published range counts 1 there.
        pooled: mean over all counted fields of all instances, with ranges at their own value.
        per_type: the same by field type.
    """

    mean_of_instances: float
    pooled: float
    per_type: dict[str, float]


class PublishedTable(msgspec.Struct, frozen=True):
    """Rows by task as `table` gives them, the averages behind them, and why tasks have no row."""

    rows: dict[str, dict[str, float | None]]
    averages: dict[str, TaskAverages]
    left_out: dict[str, str]


def published_table(results: Iterable[tuple[Task, JsonObject]], rules: str = PUBLISHED) -> PublishedTable:
    """The table that upstream prints, from tasks and the evidence recorded for them.

    A task has no row where one of its instances can't be scored, for its averages would be of others.
    """
    scored: dict[str, list[InstanceResult]] = {}
    left_out: dict[str, str] = {}
    for task, evidence in results:
        try:
            scored.setdefault(task.name, []).append(instance_result(task, evidence, rules))
        except BadData as error:
            left_out.setdefault(task.name, error.message)
    averages: dict[str, TaskAverages] = {}
    for name, instances in scored.items():
        try:
            if name not in left_out:
                averages[name] = task_averages(instances, name)
        except BadData as error:
            left_out[name] = error.message
    return PublishedTable(table(averages), averages, left_out)


def task_averages(results: Sequence[InstanceResult], task: str = "the task") -> TaskAverages:
    """Both averages of one task. Raises `BadData` where no field counts or one can't be scored."""
    pools: dict[str, list[float]] = {}
    for result in results:
        if result.error:
            raise BadData(f"{task}: {result.error}")
        for kind, values in result.per_type.items():
            pools.setdefault(kind, []).extend(values)
    pooled = [value for values in pools.values() for value in values]
    if not pooled:
        raise BadData(f"{task}: no field of any instance counts, so there is no average")
    return TaskAverages(
        mean_of_instances=_mean(result.score for result in results),
        pooled=_mean(pooled),
        per_type={kind: _mean(values) for kind, values in pools.items()},
    )


def table(averages: Mapping[str, TaskAverages]) -> dict[str, dict[str, float | None]]:
    """Rows by task: "all" (pooled) and every field type that occurs in some task, None where not here."""
    kinds = sorted({kind for row in averages.values() for kind in row.per_type})
    return {
        task: {ALL: row.pooled, **{kind: row.per_type.get(kind) for kind in kinds}}
        for task, row in averages.items()
    }


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


class ScoredInstance(Scored, frozen=True, kw_only=True):
    """A prediction's score, and by rule set what averages are made of (nothing where it has none)."""

    results: dict[str, InstanceResult] = msgspec.field(default_factory=dict)

    def value(self, rules: str) -> float | None:
        """The instance's score under a rule set, None where it has none."""
        found = next((one for one in (self.score, *self.score.beside) if one.rules == rules), None)
        return found.value if found is not None and found.status is Status.SCORED else None


def summary(scored: Sequence[ScoredInstance], rules: str) -> dict[str, Json]:
    """`mean_of_instances` averages the instances' scores (a published range counts 1 there);
    `pooled_fields` averages all their counted fields (ranges at their own value)."""
    values = [value for one in scored if (value := one.value(rules)) is not None]
    fields = [value for own in _per_type(scored, rules).values() for value in own]
    return {
        "instances": len(scored),
        "scored": len(values),
        "fields": len(fields),
        "mean_of_instances": _defined_mean(values),
        "pooled_fields": _defined_mean(fields),
    }


def by_type(scored: Sequence[ScoredInstance], rules: str) -> list[JsonObject]:
    """One row per field type: how many fields count, and their mean."""
    return [
        {"type": kind, "fields": len(values), "mean": _defined_mean(values)}
        for kind, values in sorted(_per_type(scored, rules).items())
    ]


def grouped(scored: Sequence[ScoredInstance], rules: str, grouping: str) -> list[JsonObject]:
    """The summary of each group, in order of first appearance."""
    return group_rows(grouping, by_group(scored, grouping), lambda members: summary(members, rules))


def by_task(scored: Sequence[ScoredInstance], rules: str) -> list[JsonObject]:
    """The summary of each task, and the mean of each field type that occurs in some task."""
    kinds = sorted(_per_type(scored, rules))

    def figures(members: Sequence[ScoredInstance]) -> dict[str, Json]:
        own = _per_type(members, rules)
        return summary(members, rules) | {kind: _defined_mean(own.get(kind, ())) for kind in kinds}

    return group_rows("task", by_group(scored, "task"), figures)


def _per_type(scored: Iterable[ScoredInstance], rules: str) -> dict[str, list[float]]:
    """The rules' own values of all counted fields of instances with a score."""
    found: dict[str, list[float]] = {}
    for one in scored:
        if one.value(rules) is None or rules not in one.results:
            continue
        for kind, values in one.results[rules].per_type.items():
            found.setdefault(kind, []).extend(values)
    return found


def _defined_mean(values: Iterable[float]) -> float | None:
    """None for nothing, and where a blank gold value leaves one of them undefined."""
    listed = list(values)
    mean = sum(listed) / len(listed) if listed else math.nan
    return None if math.isnan(mean) else mean


def by_field_type(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """The instance's mean over its fields of each type, by the rule's own value: a range not always 1."""
    for kind, value in attempt.under(rules).metrics.items():
        if value is not None:
            yield Measured(kind, value)


def by_task_and_type(attempt: Attempt, rules: str) -> Iterable[Measured]:
    """The same under the name of the task, as upstream's files of results have their rows."""
    return [Measured(attempt.task.name, one.value, one.group) for one in by_field_type(attempt, rules)]


BREAKDOWNS = (
    Breakdown(
        name="field type", source="TurkingBench, table 5; instances weigh the same", measures=by_field_type
    ),
    Breakdown(name="task", source="upstream's result files", measures=by_task_and_type),
)
