"""Scored predictions put together: both averages, by field type, by split and by task."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from webbench.benchmarks.turkingbench.instance import InstanceResult
from webbench.core.json_types import Json, JsonObject
from webbench.core.offline.contract import ItemScore
from webbench.core.score import Status


class Scored(msgspec.Struct, frozen=True):
    """One prediction: its score, and by rule set what averages are made of (nothing where it has none)."""

    item: ItemScore
    results: dict[str, InstanceResult] = {}

    def value(self, rules: str) -> float | None:
        """The instance's score under a rule set, None where it has none."""
        score = self.item.score
        found = next((one for one in (score, *score.beside) if one.rules == rules), None)
        return found.value if found is not None and found.status is Status.SCORED else None


def summary(scored: Sequence[Scored], rules: str) -> dict[str, Json]:
    """`mean_of_instances` averages the instances' scores (a published range counts 1 there);
    `pooled_fields` averages all their counted fields (ranges at their own value)."""
    values = [value for one in scored if (value := one.value(rules)) is not None]
    fields = [value for own in _per_type(scored, rules).values() for value in own]
    return {
        "instances": len(scored),
        "scored": len(values),
        "fields": len(fields),
        "mean_of_instances": _mean(values),
        "pooled_fields": _mean(fields),
    }


def by_type(scored: Sequence[Scored], rules: str) -> list[JsonObject]:
    """One row per field type: how many fields count, and their mean."""
    return [
        {"type": kind, "fields": len(values), "mean": _mean(values)}
        for kind, values in sorted(_per_type(scored, rules).items())
    ]


def grouped(scored: Sequence[Scored], rules: str, group: str) -> list[JsonObject]:
    """The summary of each group, in order of first appearance."""
    return [{group: name, **summary(members, rules)} for name, members in _groups(scored, group).items()]


def by_task(scored: Sequence[Scored], rules: str) -> list[JsonObject]:
    """The summary of each task, and the mean of each field type that occurs in some task."""
    kinds = sorted(_per_type(scored, rules))
    rows: list[JsonObject] = []
    for row, members in zip(grouped(scored, rules, "task"), _groups(scored, "task").values(), strict=True):
        own = _per_type(members, rules)
        rows.append(row | {kind: _mean(own.get(kind, ())) for kind in kinds})
    return rows


def _groups(scored: Iterable[Scored], group: str) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for one in scored:
        found.setdefault(one.item.groups[group], []).append(one)
    return found


def _per_type(scored: Iterable[Scored], rules: str) -> dict[str, list[float]]:
    """The rules' own values of all counted fields of instances with a score."""
    found: dict[str, list[float]] = {}
    for one in scored:
        if one.value(rules) is None or rules not in one.results:
            continue
        for kind, values in one.results[rules].per_type.items():
            found.setdefault(kind, []).extend(values)
    return found


def _mean(values: Iterable[float]) -> float | None:
    """None for nothing, and where a blank gold value leaves one of them undefined."""
    listed = list(values)
    mean = sum(listed) / len(listed) if listed else math.nan
    return None if math.isnan(mean) else mean
