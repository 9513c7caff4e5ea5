"""Aggregates over many scores, alike for files of results and for live episodes; and key nodes by function.

While a score waits for a judge, completion and success rate are not defined: `<name>_scored` is the rate of
what is scored, `<name>_interval` where the rate can end up. An episode that a site kept out is *not
executable*: counted by itself, in no rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from webbench.benchmarks.common.blocked import NOT_EXECUTABLE
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED
from webbench.benchmarks.webcanvas.scoring.metrics import FINISHED, TaskResult, aggregate
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt, Breakdown, Measured
from webbench.core.score.score import Score, Status

Limits = tuple[float, float]


def summary(scores: Sequence[Score], rules: str) -> dict[str, Json]:
    """The figures of scores that were given under `rules`; None where nothing was scored."""
    scored = [score for score in scores if score.status is Status.SCORED]
    pending = [score for score in scores if score.status is Status.PENDING]
    results = [_result(score) for score in scored]
    published = aggregate(results) if results else {}
    efficiency = [score.metrics.get("efficiency") for score in scored]
    return {
        **_rate("completion_rate", scored, pending, _points, key_nodes),
        **_rate("task_success_rate", scored, pending, _success, lambda _: 1),
        "efficiency_score": published.get("average_efficiency_score")
        if rules == PUBLISHED
        else _mean(efficiency),
        "human_alignment_score": _mean([score.metrics.get("human_alignment_score") for score in scored]),
        "average_step_score_rate": published.get("average_step_score_rate"),
        "near_success_rate": published.get("task_near_success_rate"),
        "tasks": len(scores),
        "scored": len(scored),
        "pending": len(pending),
        "not_scored": len(scores) - len(scored) - len(pending) - not_executable(scores),
        "not_executable": not_executable(scores),
    }


def not_executable(scores: Sequence[Score]) -> int:
    return sum(
        score.status is Status.NOT_SCORED and score.reason.startswith(NOT_EXECUTABLE) for score in scores
    )


def key_nodes(score: Score) -> int:
    return sum(check.target.startswith("key node ") for check in score.checks)


def _rate(
    name: str,
    scored: Sequence[Score],
    pending: Sequence[Score],
    limits: Callable[[Score], Limits],
    weight: Callable[[Score], int],
) -> dict[str, Json]:
    """Sum of points / sum of weights: settled, over what is scored, and from lowest to highest."""
    known = sum(map(weight, scored))
    rate = sum(limits(score)[0] for score in scored) / known if known else None
    in_all = known + sum(map(weight, pending))
    found = [limits(score) for score in (*scored, *pending)]
    ends = [sum(low for low, _ in found), sum(high for _, high in found)]
    return {
        name: None if pending else rate,
        f"{name}_scored": rate,
        f"{name}_interval": [end / in_all for end in ends] if in_all else None,
    }


def _points(score: Score) -> Limits:
    """Key nodes reached, at least and at most."""
    if score.status is Status.SCORED:
        reached = score.metrics.get("step_score") or 0
        return reached, reached
    low, high = score.interval or (0, 1)
    return low * key_nodes(score), high * key_nodes(score)


def _success(score: Score) -> Limits:
    if score.status is Status.SCORED:
        success = score.metrics.get("task_success") or 0
        return success, success
    low, high = score.interval or (0, 1)
    return float(low >= 1), float(high >= 1)


def _result(score: Score) -> TaskResult:
    """What the framework's summary would take of a score: the score's own figures, so that both agree."""
    reached, possible = score.metrics["step_score"] or 0, score.metrics["key_nodes"] or 0
    return TaskResult(
        status=FINISHED if score.metrics["task_success"] else "",
        steps=int(next(check.actual for check in score.checks if check.name == "efficiency")),
        score=reached,
        possible=possible,
        rate=reached / possible,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def by_function(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """What each key node came to; figures of the whole episode are none."""
    for check in attempt.under(rules).checks:
        if check.counted and check.status is Status.SCORED and check.value is not None:
            yield Measured(check.name, check.value)


BREAKDOWNS = (Breakdown(name="match function", source="", measures=by_function),)
