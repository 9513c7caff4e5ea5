"""When a known weakness of the WebLINX metrics holds for a score. The texts are in `loopholes.json`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlparse

import msgspec

from webbench.benchmarks.weblinx.notation.output import format_value
from webbench.benchmarks.weblinx.scoring.metrics import url_f
from webbench.benchmarks.weblinx.scoring.rules import PAPER, PUBLISHED
from webbench.benchmarks.weblinx.turns.intents import CHANGE, LOAD, SAY, SCROLL, TEXT_INPUT
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.loopholes import Entry, load_loopholes, loopholes_of
from webbench.core.score.score import Check, Loophole, Score, Status
from webbench.core.task import Task

PACKAGE = "webbench.benchmarks.weblinx"

BOTH = (PUBLISHED, PAPER)


class Compared(NamedTuple):
    """What a condition looks at: the comparison that it speaks of, the exact match, and the turn's value."""

    actual: Json
    expected: Json
    value: float | None
    exact: Check
    counted: float | None


class _Where(msgspec.Struct, frozen=True):
    """For a scored turn of the right intent, one of `intents`, that has the metric's check."""

    rules: Collection[str]
    intents: Collection[str]
    metric: str
    holds: Callable[[Compared], bool]

    def __call__(self, task: Task, evidence: JsonObject, score: Score, /) -> bool:
        if score.status is not Status.SCORED:
            return False
        intent, overall, exact = score.checks
        if not intent.value or intent.expected not in self.intents or score.rules not in self.rules:
            return False
        found = next((check for check in overall.checks if check.name == self.metric), None)
        if found is None:
            return False
        try:
            return self.holds(Compared(found.actual, found.expected, found.value, exact, score.value))
        except (BadData, ValueError):
            return False


def _letters_of_host(found: Compared) -> bool:
    """Dropping "www." instead of letters gives another figure."""
    predicted, wanted = found.actual, found.expected
    return url_f(predicted, wanted) != url_f(predicted, wanted, whole_prefix=True)


def _other_address(found: Compared) -> bool:
    """Full marks for an address that differs in query, fragment, order or repeats."""
    return found.value == 1 and _place(found.actual) != _place(found.expected)


def _no_common_word(found: Compared) -> bool:
    """Credit, which needs a text that shares characters, and no shared word."""
    predicted, wanted = found.actual, found.expected
    if not isinstance(predicted, str) or not isinstance(wanted, str):
        return False
    return bool(found.counted) and not _distinct_words(predicted) & _distinct_words(wanted)


def _quoted_number(found: Compared) -> bool:
    predicted, wanted = found.actual, found.expected
    if isinstance(predicted, bool) or not isinstance(predicted, int | float) or not isinstance(wanted, str):
        return False
    return bool(format_value(wanted) == predicted)


def _same_scroll(found: Compared) -> bool:
    here, there = (_point(action) for action in (found.exact.actual, found.exact.expected))
    return not found.counted and here == there


def _point(action: Json) -> tuple[Json, Json]:
    return (action["x"], action["y"]) if isinstance(action, dict) else (None, None)


def _place(url: Json) -> tuple[str, str, str]:
    parts = urlparse(str(url))
    return parts.path.strip("/"), parts.query, parts.fragment


def _distinct_words(text: str) -> set[str]:
    return set(text.casefold().split())


CONDITIONS: dict[str, _Where] = {
    "letters-of-host": _Where((PUBLISHED,), (LOAD,), "URL-F", _letters_of_host),
    "other-address": _Where(BOTH, (LOAD,), "URL-F", _other_address),
    "no-common-word": _Where(BOTH, (SAY, TEXT_INPUT, CHANGE), "chrF", _no_common_word),
    "quoted-number": _Where((PUBLISHED,), (SAY, TEXT_INPUT, CHANGE), "chrF", _quoted_number),
    "same-scroll": _Where((PUBLISHED,), (SCROLL,), "IoU", _same_scroll),
}


def holding(task: Task, evidence: JsonObject, score: Score) -> tuple[Loophole, ...]:
    """The weaknesses that hold for this very score."""
    if score.status is not Status.SCORED:
        return ()
    wanted = str(score.checks[0].expected)
    return loopholes_of(_about(wanted, score.rules), CONDITIONS, task, evidence, score)


@lru_cache(maxsize=256)
def _about(intent: str, rules: str) -> tuple[Entry, ...]:
    """The weaknesses that may hold for turns of a reference intent: for most intents there is none."""
    return tuple(
        entry
        for entry in load_loopholes(PACKAGE)
        if intent in CONDITIONS[entry.id].intents and rules in CONDITIONS[entry.id].rules
    )
