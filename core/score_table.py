"""A score as a table: one row per check, nested ones below the one they were combined into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webbench.core.score import Check, Score, Status
from webbench.core.score_text import expected_text, json_text, value_text

HEADERS = ("check", "by", "actual", "normalised", "expected", "value", "why")
FLEXIBLE = (0, 1, 2, 3, 4, 6)
"""Columns of texts that give way where there is little room."""
OPTIONAL = (3, 1)
"""Columns that are left out where there is little room, the first one first."""
NUMBERS = (5,)

_INDENT = "  "


def score_rows(score: Score) -> list[tuple[str, ...]]:
    """Rows under `HEADERS`, the headline last; texts are foreign and not yet made harmless."""
    value = "" if score.value is None else f"{score.value:.3f}"
    status = "" if score.status is Status.SCORED else score.status.value.replace("_", " ")
    last = (f"score, {score.rules}", "", "", "", "", value or status, score.combination or score.reason)
    return [*_rows(score.checks, ""), last]


def _rows(checks: Sequence[Check], indent: str) -> Iterator[tuple[str, ...]]:
    for check in checks:
        same = check.normalised is None or check.normalised == check.actual
        leaf = not check.checks or check.actual is not None or check.expected is not None
        yield (
            indent + check.target,
            check.name,
            json_text(check.actual) if leaf else "",
            "" if same else json_text(check.normalised),
            expected_text(check.expected) if leaf else "",
            value_text(check),
            "; ".join(filter(None, (check.combination, check.why, check.clause))),
        )
        yield from _rows(check.checks, indent + _INDENT)
