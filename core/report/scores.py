"""A score as rows of a report: every check with what was found, what that became, and what was wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.json_types import Json
from webbench.core.score import Check, Score, Status

LONGEST = 2_000
"""Characters of a value that a report shows."""

PASSED = 0.9995
"""What rounds to 1 passed."""


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
        return Badge("not scored")
    if score.status is Status.SCORED and score.value is not None:
        return Badge(f"{score.value:.3f}", _tone(score.value))
    return Badge(score.status.value.replace("_", " "), "bad" if score.status is Status.ERROR else "")


def value_badge(value: float | None) -> Badge:
    """A value by itself."""
    return Badge("no value") if value is None else Badge(f"{value:.3f}", _tone(value))


def score_story(score: Score | None) -> str:
    """How the value came about, or why there is none."""
    if score is None:
        return "The record holds no score."
    words = [score.combination if score.status is Status.SCORED else score.reason or "no reason given"]
    if score.interval is not None:
        words.append(f"it can still become {score.interval[0]:.3f} to {score.interval[1]:.3f}")
    return "; ".join(filter(None, words))


def check_rows(checks: Sequence[Check], depth: int = 0) -> Iterator[CheckRow]:
    """The checks in order, each followed by those it was combined from."""
    for check in checks:
        compared = not check.checks or check.actual is not None or check.expected is not None
        changed = check.normalised is not None and check.normalised != check.actual
        yield CheckRow(
            depth=min(depth, 6),
            target=check.target,
            name=check.name,
            actual=json_words(check.actual) if compared else "",
            normalised=json_words(check.normalised) if changed else "",
            expected=_wanted(check.expected) if compared and check.expected is not None else "",
            value=_value(check),
            tone=_tone(check.value) if check.value is not None and check.counted else "",
            why="; ".join(filter(None, (check.combination, check.why, check.clause))),
        )
        yield from check_rows(check.checks, depth + 1)


def json_words(value: Json) -> str:
    """Text in quotation marks, nothing as "blank", anything else as JSON."""
    if value is None:
        return "blank"
    text = f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return shortened(text, LONGEST)


def shortened(text: str, longest: int) -> str:
    """The beginning of a text, and how much more of it the record holds."""
    more = len(text) - longest
    return text if more <= 0 else f"{text[:longest]}… ({more:,} more characters in the record)"


def _wanted(expected: Json) -> str:
    if not isinstance(expected, list | tuple):
        return json_words(expected)
    return shortened(", ".join(_label(item) for item in expected), LONGEST)


def _label(item: Json) -> str:
    if isinstance(item, dict) and set(item) == {"label", "votes"}:
        return json_words(item["label"]) + (f" ×{item['votes']}" if item["votes"] != 1 else "")
    return json_words(item)


def _value(check: Check) -> str:
    if check.status is Status.SCORED and check.value is not None:
        return f"{check.value:.3f}" if check.counted else f"({check.value:.3f})"
    return "left out" if not check.counted else check.status.value.replace("_", " ")


def _tone(value: float) -> str:
    return "good" if value >= PASSED else "fair" if value > 0 else "bad"
