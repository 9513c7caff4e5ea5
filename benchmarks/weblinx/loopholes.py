"""When a known weakness of the WebLINX metrics holds for a score. The texts are in `loopholes.json`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from urllib.parse import urlparse

from webbench.benchmarks.weblinx.evidence import Compared, compared
from webbench.benchmarks.weblinx.intents import CHANGE, LOAD, SAY, SCROLL, TEXT_INPUT
from webbench.benchmarks.weblinx.metrics import compared_texts, url_f
from webbench.benchmarks.weblinx.output import format_value
from webbench.benchmarks.weblinx.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.loopholes import Condition
from webbench.core.score import Score, Status
from webbench.core.task import Task

BOTH = (PUBLISHED, PAPER)


def _where(rules: Collection[str], intents: Collection[str], holds: Callable[[Compared], bool]) -> Condition:
    """For a scored turn of the right intent, one of `intents`. False for evidence that can't be read."""

    def condition(task: Task, evidence: JsonObject, score: Score) -> bool:
        if score.status is not Status.SCORED or score.rules not in rules:
            return False
        intent = score.checks[0]
        if not intent.value or intent.expected not in intents:
            return False
        try:
            return holds(compared(task, evidence, score.rules))
        except (BadData, ValueError):
            return False

    return condition


def _letters_of_host(found: Compared) -> bool:
    """Dropping "www." instead of letters gives another figure."""
    predicted, wanted = _addresses(found)
    return url_f(predicted, wanted) != url_f(predicted, wanted, whole_prefix=True)


def _other_address(found: Compared) -> bool:
    """Full marks for an address that differs in query, fragment, order or repeats."""
    predicted, wanted = _addresses(found)
    return found.metrics.urlf == 1 and _place(predicted) != _place(wanted)


def _no_common_word(found: Compared) -> bool:
    predicted, wanted = compared_texts(found.predicted, found.wanted)
    if not isinstance(predicted, str) or not isinstance(wanted, str):
        return False
    return bool(found.metrics.overall) and not _words(predicted) & _words(wanted)


def _quoted_number(found: Compared) -> bool:
    predicted, wanted = compared_texts(found.predicted, found.wanted)
    if isinstance(predicted, bool) or not isinstance(predicted, int | float) or not isinstance(wanted, str):
        return False
    return bool(format_value(wanted) == predicted)


def _same_scroll(found: Compared) -> bool:
    here, there = ((action.args.get("x"), action.args.get("y")) for action in (found.predicted, found.wanted))
    return not found.metrics.overall and here == there


def _addresses(found: Compared) -> tuple[Json, Json]:
    return found.predicted.args.get("url"), found.wanted.args.get("url")


def _place(url: Json) -> tuple[str, str, str]:
    parts = urlparse(str(url))
    return parts.path.strip("/"), parts.query, parts.fragment


def _words(text: str) -> set[str]:
    return set(text.casefold().split())


CONDITIONS: dict[str, Condition] = {
    "letters-of-host": _where((PUBLISHED,), (LOAD,), _letters_of_host),
    "other-address": _where(BOTH, (LOAD,), _other_address),
    "no-common-word": _where(BOTH, (SAY, TEXT_INPUT, CHANGE), _no_common_word),
    "quoted-number": _where((PUBLISHED,), (SAY, TEXT_INPUT, CHANGE), _quoted_number),
    "same-scroll": _where((PUBLISHED,), (SCROLL,), _same_scroll),
}
