"""Figures over many questions (paper, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webbench.benchmarks.assistantbench.scoring.evaluate import ANSWERED
from webbench.benchmarks.common.counted_scores import in_state
from webbench.core.json_types import Json
from webbench.core.score.score import Score, Status
from webbench.core.statistics.mean import mean


class Result(NamedTuple):
    value: float | None
    """The score; None where the question could not be scored, which leaves it out of every figure."""
    answered: bool


def figures(results: Sequence[Result]) -> dict[str, Json]:
    """accuracy, answer_rate, precision, exact_match, n; None for a mean of nothing.

    accuracy = mean score; answer_rate = share of questions that were answered; precision = mean score of
    these; exact_match = share of questions that score exactly 1. All are over the n scored questions.
    """
    scored = [(result.value, result.answered) for result in results if result.value is not None]
    answered = [value for value, given in scored if given]
    return {
        "accuracy": mean([value for value, _ in scored]),
        "answer_rate": mean([float(given) for _, given in scored]),
        "precision": mean(answered),
        "exact_match": mean([float(value == 1) for value, _ in scored]),
        "n": len(scored),
    }


def summary(scores: Sequence[Score]) -> dict[str, Json]:
    """The figures over the scored ones, and how many others there are by state."""
    results = [Result(score.value, score.metrics.get(ANSWERED) == 1) for score in scores]
    states = {"not_scored": Status.NOT_SCORED, "errors": Status.ERROR}
    return figures(results) | {name: in_state(scores, status) for name, status in states.items()}
