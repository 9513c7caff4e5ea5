"""Figures of one task and of many, from the totals that the episodes reached."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json

FINISHED = "finished"
LENGTH_ALLOWANCE = 1.2
UNSIGNALLED, UNFINISHED = 0.95, 0.8


class TaskResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one episode came to.

    Attributes:
        status: "finished" (all key nodes reached, as the framework saw it), "llm_finished" (the agent said
            so), "step_limit", "early_stop".
        steps: how many were taken.
        score, possible: sum over the key nodes, and their number.
        rate: score / possible, as recorded.
    """

    status: str
    steps: int
    score: float
    possible: float
    rate: float


def task_length_score(reference: float, actual: float, allowance: float = LENGTH_ALLOWANCE) -> float:
    """1 below `allowance * reference` steps, else that bound / `actual`. Not in the paper.

    Formula: 1 if actual < allowance * reference else allowance * reference / actual. Raises `BadData` where
    both are 0, and where one is no number.
    """
    _check_numbers(reference, actual, allowance)
    bound = reference * allowance
    if actual < bound:
        return 1
    if not actual:
        raise BadData(f"no length score for {actual} steps where {reference} are the reference")
    return bound / actual


def score_parts(text: Json) -> tuple[float, float]:
    """Both numbers of "2 / 5". Raises `BadData`."""
    parts = text.split("/") if isinstance(text, str) else []
    try:
        score, possible = map(float, parts)
    except ValueError:
        raise BadData(f'the score {text!r} is not of the form "2 / 5"') from None
    return score, possible


def score_rate(text: Json) -> float:
    """The quotient of "2 / 5". Raises `BadData`, also where the second number is 0."""
    score, possible = score_parts(text)
    if not possible:
        raise BadData(f"the score {text!r} divides by 0")
    return score / possible


def completion_rate(texts: Sequence[Json]) -> float:
    """Micro average: sum of what was reached / sum of what there was, so a long task weighs more.

    Raises `BadData` where there was nothing, and for what is no list of texts "2 / 5".
    """
    if not isinstance(texts, list | tuple):
        raise BadData(f"{texts!r} is no list of scores")
    parts = [_leading_parts(text) for text in texts]
    possible = sum(part[1] for part in parts)
    if not possible:
        raise BadData("there are no key nodes, so there is no completion rate")
    return sum(part[0] for part in parts) / possible


def _leading_parts(text: Json) -> tuple[float, float]:
    """Upstream's average reads the first two numbers and ignores whatever follows a second slash."""
    return score_parts("/".join(text.split("/")[:2]) if isinstance(text, str) else text)


def efficiency(steps: int, score: float) -> float:
    """steps / score, lower is better; as published 0 where no point was made, so better than any success."""
    return steps / score if score else 0


def paper_efficiency(steps: int, score: float) -> float | None:
    """steps / score, lower is better (paper, "Efficiency Score"); None where no point was made."""
    return steps / score if score else None


def human_alignment_score(
    step_score: float, max_step_score: float, completed: bool, completion_signal: bool
) -> float:
    """How close an episode comes to a person's (paper, appendix E).

    1 where the task is complete and the agent said so, 0.95 where it didn't say so; else P / Pmax, times 0.8
    where it doesn't say that it is finished. Raises `BadData` where the task isn't complete and
    `max_step_score` is 0, or one of both is no number.
    """
    if completed:
        return 1.0 if completion_signal else UNSIGNALLED
    _check_numbers(step_score, max_step_score)
    if not max_step_score:
        raise BadData("there are no key nodes, so there is no human alignment score")
    share = step_score / max_step_score
    return share if completion_signal else UNFINISHED * share


def _check_numbers(*values: Json) -> None:
    for value in values:
        if not isinstance(value, int | float):
            raise BadData(f"{value!r} is no number, so nothing can be computed from it")


def aggregate(results: Sequence[TaskResult], cost: float = 0) -> dict[str, float]:
    """The framework's summary.

    With s points of p possible after n steps in each of N tasks: step score rate = mean of recorded s / p,
    completion rate = sum of s / sum of p, efficiency = mean of n / s, in which a task without a point counts
    0. Success is the share with the status "finished", whatever the score; near success that of tasks exactly
    one point short.

    Args:
        cost: of all tokens, in US dollars; 0 = not known.

    Raises `BadData` without results, without key nodes, and for a cost that is no number.
    """
    _check_numbers(cost)
    if not results:
        raise BadData("there are no results to sum up")
    count, score = len(results), sum(result.score for result in results)
    possible = sum(result.possible for result in results)
    if not possible:
        raise BadData("there are no key nodes, so there is no completion rate")
    figures: dict[str, float] = {
        "task_counts": count,
        "average_step_score_rate": sum(result.rate for result in results) / count,
        "average_efficiency_score": sum(efficiency(result.steps, result.score) for result in results) / count,
        "key_node_completion_rate": score / possible,
        "task_success_rate": sum(result.status == FINISHED for result in results) / count,
        "task_near_success_rate": sum(result.possible - result.score == 1.0 for result in results) / count,
    }
    if cost:
        figures["usd_efficiency_score"] = cost / score if score else math.copysign(math.inf, cost)
    return figures
