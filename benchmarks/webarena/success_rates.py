"""Success rates over many scored tasks: as a whole, by group, and averaged over templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

import msgspec

from webbench.benchmarks.webarena.traits import is_unachievable_task
from webbench.core.aggregates import Attempt
from webbench.core.json_types import Json, JsonObject
from webbench.core.score import Score, Status
from webbench.core.task import Task

RATES = (
    "success_rate",
    "success_rate_achievable",
    "success_rate_unachievable",
    "macro_average",
)
WHILE_PENDING = ("success_rate_scored", "success_rate_interval")
"""Figures of a run; the last ones where not every task is settled."""

ACHIEVABLE, UNACHIEVABLE = "achievable", "unachievable"


class Scored(msgspec.Struct, frozen=True):
    """A task with the score of its prediction.

    Attributes:
        achievable: "achievable", or "unachievable" where the right answer is that it can't be done.
        replies: of judges, that the score rests on.
    """

    task: Task
    score: Score
    achievable: str = ACHIEVABLE
    replies: dict[str, Json] = {}

    def under(self, rules: str) -> Score:
        """Its score under a rule set."""
        return next(one for one in (self.score, *self.score.beside) if one.rules == rules)


Grouping = Callable[[Scored], str]
GROUPINGS: dict[str, Grouping] = {
    "site": lambda item: " ".join(sorted(item.task.site.replace(",", " ").split())) or "none",
    "template": lambda item: item.task.template or "none",
    "achievable": lambda item: item.achievable,
    "evaluators": lambda item: item.task.kind or "none",
}
"""By name, what an item is counted under; a task on two sites is a group of its own."""


def summary(items: Sequence[Scored], rules: str, tasks_in_all: int) -> dict[str, Json]:
    """The headline figures; rates are means over what is scored, None where nothing is.

    `macro_average` is the mean over templates of their success rates, so that a template with many tasks
    weighs no more than another. While something is pending, its rates are None; `success_rate_scored` tells
    the mean of what is scored already, and `success_rate_interval` where the rate can end up once every
    judge has spoken.
    """
    scores = [item.under(rules) for item in items]
    by_group = {name: [i for i in items if i.achievable == name] for name in (ACHIEVABLE, UNACHIEVABLE)}
    return {
        "success_rate": settled_rate(scores),
        "success_rate_achievable": settled_rate([item.under(rules) for item in by_group[ACHIEVABLE]]),
        "success_rate_unachievable": settled_rate([item.under(rules) for item in by_group[UNACHIEVABLE]]),
        "macro_average": macro_average(items, rules),
        "success_rate_scored": rate(scores),
        "success_rate_interval": interval(scores),
        "n": len(items),
        **counts(scores),
        "tasks_without_prediction": tasks_in_all - len(items),
    }


def run_figures(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The rates of the summary for a run; empty where no attempt was scored by this rule set."""
    items = [
        Scored(attempt.task, attempt.under(rules), _achievable(attempt.task))
        for attempt in attempts
        if attempt.under(rules).rules == rules
    ]
    if not items:
        return {}
    rates = summary(items, rules, len(items))
    told = RATES if rates["success_rate"] is not None else (*RATES, *WHILE_PENDING)
    return {name: rates[name] for name in told}


def _achievable(task: Task) -> str:
    return UNACHIEVABLE if is_unachievable_task(task) else ACHIEVABLE


def rows(name: str, items: Sequence[Scored], rules: str) -> list[JsonObject]:
    """One row per group: its name, success rate and counts; groups in order of first appearance."""
    groups: dict[str, list[Score]] = {}
    for item in items:
        groups.setdefault(GROUPINGS[name](item), []).append(item.under(rules))
    return [
        {
            name: group,
            "success_rate": settled_rate(scores),
            "success_rate_scored": rate(scores),
            "n": len(scores),
            **counts(scores),
        }
        for group, scores in groups.items()
    ]


def rate(scores: Iterable[Score]) -> float | None:
    """Mean value of the scored ones."""
    values = [score.value for score in scores if score.status is Status.SCORED and score.value is not None]
    return fmean(values) if values else None


def settled_rate(scores: Sequence[Score]) -> float | None:
    """The same, None also while one of them is pending: the mean of the others is not the rate of all."""
    return None if any(score.status is Status.PENDING for score in scores) else rate(scores)


def macro_average(items: Sequence[Scored], rules: str) -> float | None:
    """Mean of the templates' success rates; templates without a scored task are left out.

    None while a task is pending.
    """
    if any(item.under(rules).status is Status.PENDING for item in items):
        return None
    rates = [row["success_rate"] for row in rows("template", items, rules)]
    known = [value for value in rates if value is not None]
    return fmean(known) if known else None


def interval(scores: Iterable[Score]) -> list[float] | None:
    """Lowest and highest success rate over scored and pending tasks."""
    limits = [limit for limit in map(_limits, scores) if limit is not None]
    return [fmean(low for low, _ in limits), fmean(high for _, high in limits)] if limits else None


def counts(scores: Sequence[Score]) -> dict[str, int]:
    found = Counter(score.status for score in scores)
    return {
        "scored": found[Status.SCORED],
        "pending": found[Status.PENDING],
        "not_scored": found[Status.NOT_SCORED],
        "errors": found[Status.ERROR],
    }


def reasons(items: Iterable[Scored], rules: str) -> list[JsonObject]:
    """Why tasks have no score: one row per state and reason with their number, the most frequent first."""
    found = [(item.task.id, item.under(rules)) for item in items]
    given = Counter(
        (score.status, score.reason.removeprefix(f"{name}: "))
        for name, score in found
        if score.status is not Status.SCORED
    )
    return [
        {"reason": reason, "state": status.value, "n": count}
        for (status, reason), count in given.most_common()
    ]


def _limits(score: Score) -> tuple[float, float] | None:
    if score.status is Status.SCORED and score.value is not None:
        return score.value, score.value
    return score.interval if score.status is Status.PENDING else None
