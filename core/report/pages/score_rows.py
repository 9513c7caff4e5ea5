"""A score as rows of a report: badges, its story, and every check in words with the colour of its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.score.explanation import (
    NO_SCORE,
    CheckWords,
    Outcome,
    every_check_in_words,
    given_words,
    interval_words,
    outcome,
    value_words,
)
from webbench.core.score.score import Check, Score, Status

LONGEST = 2_000
"""Characters of a value that a report shows."""

_DEEPEST = 6
_TONES: dict[Outcome, str] = {"passed": "good", "partial": "fair", "failed": "bad"}


class CheckRow(msgspec.Struct, frozen=True, kw_only=True):
    """One check; `depth` tells how deep it stands below those it was combined into.

    Attributes:
        normalised: "" where that changed nothing.
        tone: "good", "fair", "bad" or "" for the badge.
    """

    depth: int
    target: str
    name: str
    actual: str
    normalised: str
    expected: str
    value: str
    tone: str
    why: str


class Badge(msgspec.Struct, frozen=True):
    text: str
    tone: str = ""


def score_badge(score: Score | None) -> Badge:
    """The headline: a value, or the state that stands in its place."""
    if score is None:
        return Badge(NO_SCORE)
    if score.status is Status.SCORED and score.value is not None:
        return value_badge(score.value)
    return Badge(value_words(score.value, score.status), "bad" if score.status is Status.ERROR else "")


def value_badge(value: float | None) -> Badge:
    """A value by itself."""
    return Badge(given_words(value), _TONES[outcome(value)] if value is not None else "")


def score_story(score: Score | None) -> str:
    """How the value came about, or why there is none."""
    if score is None:
        return "The record holds no score."
    words = score.how if score.status is Status.SCORED else score.reason or "no reason given"
    return "; ".join(filter(None, (words, interval_words(score))))


def check_rows(checks: Sequence[Check]) -> Iterator[CheckRow]:
    """The checks in order, each followed by those it was combined from."""
    return map(_check_row, every_check_in_words(checks))


def _check_row(check: CheckWords) -> CheckRow:
    return CheckRow(
        depth=min(check.depth, _DEEPEST),
        target=check.target,
        name=check.name,
        actual=shortened(check.actual, LONGEST),
        normalised=shortened(check.normalised, LONGEST),
        expected=shortened(", ".join(check.expected), LONGEST),
        value=check.value,
        tone=_TONES.get(check.outcome, ""),
        why=check.reason,
    )


def shortened(text: str, longest: int) -> str:
    """The beginning of a text, and how much more of it the record holds."""
    more = len(text) - longest
    return text if more <= 0 else f"{text[:longest]}… ({more:,} more characters in the record)"
