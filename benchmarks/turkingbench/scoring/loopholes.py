"""When the weaknesses in `loopholes.json` hold for a score."""

from __future__ import annotations

from webbench.benchmarks.turkingbench.scoring.field_score import PUBLISHED
from webbench.core.json_types import JsonObject
from webbench.core.score.loopholes import Condition
from webbench.core.score.score import Score, Status
from webbench.core.task import Task


def _range_counts_one(task: Task, evidence: JsonObject, score: Score) -> bool:
    """`metrics` holds the ranges' own mean, which is at most 1 for each of them."""
    if score.status is not Status.SCORED or score.rules != PUBLISHED or "range" not in score.metrics:
        return False
    own = score.metrics["range"]
    return own is None or own < 1


CONDITIONS: dict[str, Condition] = {"range-counts-one": _range_counts_one}
