"""WebLINX's tables by split and by intent, over any stepped demonstrations."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.benchmarks.weblinx.figures import row_of_turn, splits_of_attempt
from webbench.core.aggregates import Attempt, Breakdown, Measured
from webbench.core.score import Status


def by_intent(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Every metric of every predicted turn, under the intent of its reference."""
    for turn in attempt.under(rules).checks:
        row = row_of_turn(turn, rules)
        if row is None:
            continue
        metrics = {
            "intent match": row.intent_match,
            "exact match": row.exact_match,
            "IoU": row.iou,
            "chrF": row.chrf,
            "URL-F": row.urlf,
        }
        for metric, value in metrics.items():
            if value is not None:
                yield Measured(row.ref_intent, value, metric)


def by_split(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Turn scores and intent matches; a demonstration that is in two splits counts in both."""
    for turn in attempt.under(rules).checks:
        row = row_of_turn(turn, rules)
        for split in splits_of_attempt(attempt) if row is not None else ():
            if turn.counted and turn.status is Status.SCORED and turn.value is not None:
                yield Measured(split, turn.value, "turn score")
            if row is not None and row.intent_match is not None:
                yield Measured(split, row.intent_match, "intent match")


BREAKDOWNS = (
    Breakdown(name="split", source="WebLINX, results per split", measures=by_split),
    Breakdown(name="intent", source="WebLINX, results per intent", measures=by_intent),
)
