"""The two averages over many instances that upstream reports, which differ, and its table by field type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from webbench.benchmarks.turkingbench.evaluate import instance_result
from webbench.benchmarks.turkingbench.instance import InstanceResult
from webbench.benchmarks.turkingbench.rules import PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
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
