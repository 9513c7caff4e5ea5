"""Success rates over many scored tasks: as a whole, by group, and averaged over templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean

from webbench.benchmarks.common.counted_scores import by_group, group_rows, in_state, under
from webbench.benchmarks.common.offline import Scored
from webbench.benchmarks.webarena.task_traits import is_unachievable_task
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Score, Status
from webbench.core.statistics.mean import mean
from webbench.core.task import Task

GROUPINGS = ("site", "template", "achievable", "evaluators")
RATES = (
    "success_rate",
    "success_rate_achievable",
    "success_rate_unachievable",
    "macro_average",
)
WHILE_PENDING = ("success_rate_scored", "success_rate_interval")
"""Figures of a run; the last ones where not every task is settled."""

ACHIEVABLE, UNACHIEVABLE = "achievable", "unachievable"


def groups_of(task: Task, achievable: str) -> dict[str, str]:
    """What a task is counted under; one on two sites is in a group of its own."""
    return {
        "site": " ".join(sorted(task.site.replace(",", " ").split())) or "none",
        "template": task.template or "none",
        "achievable": achievable,
        "evaluators": task.kind or "none",
    }


def summary(items: Sequence[Scored], rules: str, tasks_in_all: int) -> dict[str, Json]:
    """The headline figures; rates are means over what is scored, None where nothing is.

    `macro_average` is the mean over templates of their success rates, so that a template with many tasks
    weighs no more than another. While something is pending, its rates are None; `success_rate_scored` tells
    the mean of what is scored already, and `success_rate_interval` where the rate can end up once every
    judge has spoken.
    """
    scores = scores_under(items, rules)
    achievable = by_group(items, "achievable")
    return {
        "success_rate": settled_rate(scores),
        "success_rate_achievable": settled_rate(scores_under(achievable.get(ACHIEVABLE, ()), rules)),
        "success_rate_unachievable": settled_rate(scores_under(achievable.get(UNACHIEVABLE, ()), rules)),
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
        Scored(
            task=attempt.task,
            score=attempt.under(rules),
            groups=groups_of(attempt.task, _achievable(attempt.task)),
        )
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

    def figures(members: Sequence[Scored]) -> dict[str, Json]:
        scores = scores_under(members, rules)
        return {
            "success_rate": settled_rate(scores),
            "success_rate_scored": rate(scores),
            "n": len(scores),
            **counts(scores),
        }

    return group_rows(name, by_group(items, name), figures)


def scores_under(items: Iterable[Scored], rules: str) -> list[Score]:
    return [under(item.score, rules) for item in items]


def rate(scores: Iterable[Score]) -> float | None:
    """Mean value of the scored ones."""
    return mean(score.value for score in scores if score.status is Status.SCORED)


def settled_rate(scores: Sequence[Score]) -> float | None:
    """The same, None also while one of them is pending: the mean of the others is not the rate of all."""
    return None if in_state(scores, Status.PENDING) else rate(scores)


def macro_average(items: Sequence[Scored], rules: str) -> float | None:
    """Mean of the templates' success rates; templates without a scored task are left out.

    None while a task is pending.
    """
    if in_state(scores_under(items, rules), Status.PENDING):
        return None
    return mean(row["success_rate"] for row in rows("template", items, rules))


def interval(scores: Iterable[Score]) -> list[float] | None:
    """Lowest and highest success rate over scored and pending tasks."""
    limits = [limit for limit in map(_limits, scores) if limit is not None]
    return [fmean(low for low, _ in limits), fmean(high for _, high in limits)] if limits else None


def counts(scores: Sequence[Score]) -> dict[str, int]:
    states = (Status.SCORED, Status.PENDING, Status.NOT_SCORED)
    return {state.value: in_state(scores, state) for state in states} | {
        "errors": in_state(scores, Status.ERROR)
    }


def reasons(items: Iterable[Scored], rules: str) -> list[JsonObject]:
    """Why tasks have no score: one row per state and reason with their number, the most frequent first."""
    found = [(item.task.id, under(item.score, rules)) for item in items]
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
