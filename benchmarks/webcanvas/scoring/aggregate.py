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
from webbench.core.statistics.mean import mean
from webbench.core.task import Task

Limits = tuple[float, float]

KEY_NODE = "key node "
"""How the check of a key node names its target, before its number."""


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
        else mean(efficiency),
        "human_alignment_score": mean([score.metrics.get("human_alignment_score") for score in scored]),
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
    return sum(check.target.startswith(KEY_NODE) for check in score.checks)


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


def by_function(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """What each key node came to; figures of the whole episode are none."""
    for check in attempt.under(rules).checks:
        if check.counted and check.status is Status.SCORED and check.value is not None:
            yield Measured(check.name, check.value)


LENGTH_BINS = ((1, "1 to 4"), (5, "5 to 8"), (9, "9 to 12"), (13, "13 or more"))
NODE_BINS = ((1, "1 or 2"), (3, "3 or 4"), (5, "5 or 6"), (7, "7 or more"))
"""The least number of each with its name: annotated steps, and key nodes."""

COMPLETION, SUCCESS = "completion rate", "task success"


def bin_of(count: float, bins: Sequence[tuple[int, str]]) -> str:
    """The name of the bin of a number, "" for one below all."""
    return next((name for least, name in reversed(bins) if count >= least), "")


def by_length(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Completion and success of a task by its annotated steps; nothing where they aren't known."""
    length = attempt.task.gold.get("reference_length")
    group = bin_of(length, LENGTH_BINS) if isinstance(length, int | float) else ""
    yield from _completion(attempt.under(rules), group)


def by_key_nodes(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """The same by its number of key nodes."""
    score = attempt.under(rules)
    yield from _completion(score, bin_of(score.metrics.get("key_nodes") or 0, NODE_BINS))


def by_domain(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """The same by domain and subdomain, where the task's file names them."""
    yield from _completion(attempt.under(rules), domain_of(attempt.task))


def domain_of(task: Task) -> str:
    """ "Travel / Hotel"; "" where the task's file names none, as the published ones do."""
    told = (task.data.get(name) for name in ("domain", "subdomain"))
    return " / ".join(part for part in told if isinstance(part, str) and part)


def by_missed(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """How much of the tasks were solved with so many key nodes missed: 1 for every attempt that missed no
    more (table 3's SR(0) and SR(1))."""
    score = attempt.under(rules)
    nodes, reached = score.metrics.get("key_nodes"), score.metrics.get("step_score")
    if score.status is Status.SCORED and nodes and reached is not None:
        for most in (0, 1):
            yield Measured(f"at most {most} missed", float(nodes - reached <= most))


def by_last_node(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Whether attempts that reached the last key node reached all, and those that didn't (section 6.2)."""
    score = attempt.under(rules)
    nodes = [check for check in score.checks if check.target.startswith(KEY_NODE)]
    if score.status is Status.SCORED and nodes:
        group = "last key node reached" if nodes[-1].value == 1 else "last key node missed"
        yield Measured(group, float(all(check.value == 1 for check in nodes)), "all reached")


def _completion(score: Score, group: str) -> Iterator[Measured]:
    nodes, reached = score.metrics.get("key_nodes"), score.metrics.get("step_score")
    if group and score.status is Status.SCORED and nodes and reached is not None:
        yield Measured(group, reached / nodes, COMPLETION)
        yield Measured(group, float(score.metrics.get("task_success") or 0), SUCCESS)


BREAKDOWNS = (
    Breakdown(name="match function", source="", measures=by_function),
    Breakdown(name="key nodes missed", source="WebCanvas, table 3", measures=by_missed),
    Breakdown(name="last key node", source="WebCanvas, section 6.2", measures=by_last_node),
    Breakdown(name="annotated steps", source="WebCanvas, figure 9", measures=by_length),
    Breakdown(name="key nodes of the task", source="WebCanvas, figure 9", measures=by_key_nodes),
    Breakdown(name="domain", source="WebCanvas, table 8", measures=by_domain),
)
