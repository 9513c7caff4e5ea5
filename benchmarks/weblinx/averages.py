"""The averages of scored turns in the form in which reports show them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.aggregate import (
    ELEMENT_GROUP,
    EXACT,
    MATCH,
    OVERALL,
    REPORTED,
    TEXT_GROUP,
    Record,
    Row,
    records,
)
from webbench.benchmarks.weblinx.rules import PUBLISHED
from webbench.core.json_types import Json, JsonObject
from webbench.core.score import Score, Status

_HEADLINES = {
    "overall": (OVERALL, OVERALL),
    "intent_match": (OVERALL, MATCH),
    "element_group": (ELEMENT_GROUP, "iou"),
    "text_group": (TEXT_GROUP, "chrf-urlf"),
}
"""Figure: intent and metric of its record."""


def row_of_score(intent: str, score: Score, rules: str) -> Row | None:
    """What a turn gives to the averages; None for one that is in none: an error, a dropped turn, and, as
    published, an intent without averages.
    """
    metrics = score.metrics
    if metrics.get(MATCH) is None or (rules == PUBLISHED and intent not in REPORTED):
        return None
    return Row(
        ref_intent=intent,
        exact_match=metrics[EXACT],
        intent_match=metrics[MATCH],
        chrf=metrics["chrf"],
        iou=metrics["iou"],
        urlf=metrics["urlf"],
    )


class Averages(msgspec.Struct, frozen=True):
    """The averages over some turns.

    Attributes:
        found: as published or by the paper; empty without turns.
        turns: how many are behind them.
        left_out, errors: how many are not: dropped or without an average, and those that can't be scored.
    """

    found: Sequence[Record]
    turns: int
    left_out: int
    errors: int

    def records(self) -> list[JsonObject]:
        """As plain objects."""
        plain: list[JsonObject] = msgspec.to_builtins(self.found)
        return plain

    def headline(self) -> dict[str, Json]:
        """The four figures of the literature, and how many turns are behind them.

        Each figure counts turns of another intent as 0; "..._conditional" leaves them out.
        """
        by_name = {(one.intent, one.metric): one for one in self.found}
        nothing = Record(intent="", metric="", score=None, unconditional_score=None)
        figures: dict[str, Json] = {}
        for name, key in _HEADLINES.items():
            record = by_name.get(key, nothing)
            figures[name] = record.unconditional_score
            if name != "intent_match":
                figures[f"{name}_conditional"] = record.score
        return figures | {"turns": self.turns, "left_out": self.left_out, "errors": self.errors}


def averages_of(scores: Sequence[tuple[str, Score]], rules: str) -> Averages:
    """The averages of turns given as (reference intent, score under `rules`)."""
    rows = [row for one in scores if (row := row_of_score(*one, rules)) is not None]
    errors = sum(score.status is Status.ERROR for _, score in scores)
    found = records(rows, rules) if rows else []
    return Averages(found, len(rows), len(scores) - len(rows) - errors, errors)
