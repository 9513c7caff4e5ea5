"""Scores of many tasks, counted as all benchmarks do: by group, by state, and as success rates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.statistics.mean import mean

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


def in_state(scores: Iterable[Score], status: Status) -> int:
    """How many scores are in this state."""
    return sum(score.status is status for score in scores)


def under(score: Score, rules: str) -> Score:
    """The score as this rule set has it, which stands beside it or is itself."""
    return next(one for one in (score, *score.beside) if one.rules == rules)


def success_rate(scores: Sequence[Score], name: str = "success_rate") -> dict[str, Json]:
    """The mean of 0 and 1 over what is settled; None where nothing is, and while something waits for a judge.

    Then `<name>_scored` is the mean of what is scored, `<name>_interval` where the rate can end up.
    """
    values = [score.value for score in scores if score.value is not None]
    pending = [score.interval or (0.0, 1.0) for score in scores if score.status is Status.PENDING]
    if not pending:
        return {name: mean(values)}
    in_all = len(values) + len(pending)
    ends = [(sum(values) + sum(one[end] for one in pending)) / in_all for end in (0, 1)]
    return {name: None, f"{name}_scored": mean(values), f"{name}_interval": list[Json](ends)}
