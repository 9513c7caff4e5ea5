"""Figures over many scored tasks, as far as all benchmarks count alike: groups, rows, means, states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Protocol, TypeVar

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, Status

Member = TypeVar("Member")


class Grouped(Protocol):
    """What is counted under groups: {"difficulty": "hard", "split": "dev"}."""

    @property
    def groups(self) -> Mapping[str, str]: ...


GroupedMember = TypeVar("GroupedMember", bound=Grouped)


def by_group(members: Iterable[GroupedMember], grouping: str) -> dict[str, list[GroupedMember]]:
    """The members by their group of this name, groups in order of first appearance."""
    found: dict[str, list[GroupedMember]] = {}
    for member in members:
        found.setdefault(member.groups[grouping], []).append(member)
    return found


def group_rows(
    grouping: str,
    groups: Mapping[str, Sequence[Member]],
    figures: Callable[[Sequence[Member]], Mapping[str, Json]],
) -> list[JsonObject]:
    """One row per group: its name under `grouping`, then its figures."""
    return [{grouping: name, **figures(members)} for name, members in groups.items()]


def mean(values: Iterable[float | None]) -> float | None:
    """Of the values that are defined; None where none is."""
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None


def in_state(scores: Iterable[Score], status: Status) -> int:
    """How many scores are in this state."""
    return sum(score.status is status for score in scores)


def under(score: Score, rules: str) -> Score:
    """The score as this rule set has it, which stands beside it or is itself."""
    return next(one for one in (score, *score.beside) if one.rules == rules)
