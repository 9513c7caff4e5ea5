"""The averages of the literature over many stepped demonstrations, of all and of each split."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.benchmarks.weblinx.aggregate import REPORTED, Row, records
from webbench.benchmarks.weblinx.averages import Averages
from webbench.benchmarks.weblinx.rules import PUBLISHED
from webbench.core.aggregates import Attempt
from webbench.core.json_types import Json
from webbench.core.score import Check, Status, every_check

TURNS_LEFT = "turns_left"


def figures(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The four figures over all predicted turns, and where there are several splits, over those of each.

    A demonstration that is in two splits counts in both. `turns_left` tells how many turns nobody predicted,
    because an episode ended before.
    """
    found = _figures(attempts, rules)
    splits = list(dict.fromkeys(split for attempt in attempts for split in splits_of_attempt(attempt)))
    if len(splits) > 1:
        for split in splits:
            inside = [attempt for attempt in attempts if split in splits_of_attempt(attempt)]
            found |= {f"{split} {name}": value for name, value in _figures(inside, rules).items()}
    return found


def splits_of_attempt(attempt: Attempt) -> Sequence[str]:
    """All that its demonstration is in."""
    listed = attempt.task.data.get("splits")
    return listed if isinstance(listed, list) else [attempt.task.split]


def _figures(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    scores = [attempt.under(rules) for attempt in attempts]
    turns = [check for score in scores for check in score.checks]
    rows = [row for turn in turns if (row := row_of_turn(turn, rules)) is not None]
    errors = sum(turn.status is Status.ERROR for turn in turns)
    averages = Averages(
        records(rows, rules) if rows else [], len(rows), len(turns) - len(rows) - errors, errors
    )
    left = sum(int(score.metrics.get(TURNS_LEFT) or 0) for score in scores)
    return averages.headline() | {TURNS_LEFT: left}


def row_of_turn(turn: Check, rules: str) -> Row | None:
    """What a turn's check gives to the averages; None for a turn that is in none of them."""
    values = {check.name: check.value for check in every_check(turn.checks)}
    if values.get("intent match") is None or (rules == PUBLISHED and turn.name not in REPORTED):
        return None
    return Row(
        ref_intent=turn.name,
        exact_match=values.get("exact match"),
        intent_match=values["intent match"],
        chrf=values.get("chrF"),
        iou=values.get("IoU"),
        urlf=values.get("URL-F"),
    )
