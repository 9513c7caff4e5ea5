"""When a known weakness of the evaluator is what a score rests on; the texts are in loopholes.json."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.benchmarks.webarena.scoring.string_match import NOT_ACHIEVABLE, is_unachievable
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.loopholes import Condition
from webbench.core.score.score import Check, Score, Status, leaf_checks
from webbench.core.task import Task

LONGER_BY_FACTOR = 3
LONGER_BY_CHARACTERS = 20
SHORT = 3

_COMPARED = ("exact_match", "must_include")
_JUDGED = ("fuzzy_match", "unachievable_match")


def _substring_answer(_: Task, evidence: JsonObject, score: Score) -> bool:
    included = [check for check in _credited(score, "string_match") if check.name == "must_include"]
    if not included:
        return False
    wanted = sum(len(_text(check.expected)) for check in included)
    given = len(_text(evidence.get("answer")).strip())
    return given > LONGER_BY_FACTOR * wanted and given - wanted >= LONGER_BY_CHARACTERS


def _single_digit(_: Task, __: JsonObject, score: Score) -> bool:
    return any(len(text) == 1 and text.isdecimal() for text in _references(score))


def _short_reference(_: Task, __: JsonObject, score: Score) -> bool:
    return any(0 < len(text) <= SHORT for text in _references(score))


def _references(score: Score) -> Iterator[str]:
    """What credited comparisons of the answer and of pages wanted; of alternatives on a page those found."""
    for check in _credited(score, "string_match"):
        if check.name in _COMPARED and check.expected != NOT_ACHIEVABLE:
            yield _text(check.expected).strip()
    for check in _credited(score, "program_html"):
        if check.name == "exact_match":
            yield _text(check.expected).strip()
        elif check.name == "must_include":
            given = _text(check.normalised).lower()
            alternatives = check.expected if isinstance(check.expected, list) else [check.expected]
            yield from (text for text in map(_text, alternatives) if text.lower() in given)


def _giving_up(task: Task, _: JsonObject, score: Score) -> bool:
    plain = [check for check in _credited(score, "string_match") if check.name == "exact_match"]
    return is_unachievable(task.gold) and bool(plain)


def _judge_used(_: Task, __: JsonObject, score: Score) -> bool:
    """Also where the verdict was against the answer."""
    return score.status is Status.SCORED and any(
        check.name in _JUDGED and check.counted for check in leaf_checks(score.checks)
    )


def _judge_replaces(_: Task, __: JsonObject, score: Score) -> bool:
    judged = any(check.name == "unachievable_match" for check in _credited(score, "string_match"))
    return judged and any(
        not check.counted and not check.value and check.expected != NOT_ACHIEVABLE
        for check in leaf_checks(score.checks)
    )


def _url_substring(_: Task, __: JsonObject, score: Score) -> bool:
    return any(
        check.name == "host and path" and check.normalised not in (check.expected or ())
        for check in _credited(score, "url_match")
    )


def _credited(score: Score, kind: str) -> list[Check]:
    """The comparisons of one evaluator that a score above 0 rests on."""
    if score.status is not Status.SCORED or not score.value:
        return []
    return [
        check
        for evaluator in score.checks
        if evaluator.name == kind
        for check in leaf_checks(evaluator.checks)
        if check.counted and check.value
    ]


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


CONDITIONS: dict[str, Condition] = {
    "substring-answer": _substring_answer,
    "single-digit-reference": _single_digit,
    "short-reference": _short_reference,
    "credit-for-giving-up": _giving_up,
    "judge-used": _judge_used,
    "judge-replaces-product": _judge_replaces,
    "url-substring": _url_substring,
}
