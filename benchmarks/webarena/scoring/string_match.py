"""The evaluator `string_match`: the actor's answer against the reference answers.

Score = product over all references: exact_match, every item of must_include, every item of fuzzy_match.
The reference "N/A" marks a task that can't be done. Source: WebArena, section 3.2, and the published code.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import msgspec

from webbench.benchmarks.webarena.scoring.check_products import product
from webbench.benchmarks.webarena.scoring.excerpts import excerpt, quoted
from webbench.benchmarks.webarena.scoring.judging import (
    fuzzy_question,
    recorded_reply,
    unachievable_question,
    verdict_value,
)
from webbench.benchmarks.webarena.scoring.reference_match import (
    as_text,
    clean_answer,
    exact_match,
    must_include,
    normalised,
    token_rule,
)
from webbench.benchmarks.webarena.scoring.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.score import Check, Status

NAME = "string_match"
NOT_ACHIEVABLE = "N/A"


class Matched(msgspec.Struct, frozen=True):
    """The check, and what a judge still has to be asked for it."""

    check: Check
    questions: tuple[Question, ...] = ()


class _Asked(msgspec.Struct, frozen=True):
    """What the comparisons of one answer share.

    Attributes:
        given: the answer as it is recorded.
        answer: what is compared: cleaned once as published; as it was given by the paper.
        judged: what a judge sees: cleaned once under every rule set, so that it is asked only once.
        open: questions without a reply, filled in by the comparisons.
    """

    intent: str
    string_note: Json
    given: str
    answer: str
    judged: str
    evidence: JsonObject
    rules: str
    open: list[Question]


def string_match(gold: JsonObject, evidence: JsonObject, intent: str, rules: str = PUBLISHED) -> Matched:
    """The check with one comparison per reference below it.

    Args:
        gold: the task's `eval` object; needs `reference_answers`, and `string_note` for "N/A".
        evidence: "answer": text, and "replies" of a judge.

    Raises `BadData` for what the published code fails on: other shapes, an unreadable verdict.
    """
    answer = evidence.get("answer")
    if answer is None:
        why = "the answer is not recorded"
        return Matched(Check(name=NAME, target="answer", status=Status.NOT_SCORED, why=why))
    references = gold.get("reference_answers")
    if not isinstance(references, dict):
        raise BadData("the task has no object of reference_answers to match")
    cleaned = clean_answer(answer)
    compared = answer if rules == PAPER else cleaned
    asked = _Asked(intent, gold.get("string_note"), answer, compared, cleaned, evidence, rules, [])
    checks: list[Check] = []
    for approach, wanted in references.items():
        add = _APPROACHES.get(approach)
        checks = add(asked, wanted, checks) if add else checks
    return Matched(product(NAME, "answer", checks, actual=excerpt(answer)), tuple(asked.open))


def is_unachievable(gold: JsonObject) -> bool:
    """Whether the right answer is that the task can't be done."""
    references = gold.get("reference_answers")
    return isinstance(references, dict) and references.get("fuzzy_match") == NOT_ACHIEVABLE


def _exact(asked: _Asked, wanted: Json, checks: list[Check]) -> list[Check]:
    return [*checks, _exact_check(asked, wanted)]


def _exact_check(asked: _Asked, wanted: Json) -> Check:
    value = exact_match(wanted, asked.answer, asked.rules)
    why = f"{quoted(asked.answer)} {'is' if value else 'is not'} {quoted(wanted)}"
    return _compared("exact_match", asked, wanted, value, why)


def _includes(asked: _Asked, wanted: Json, checks: list[Check]) -> list[Check]:
    if not isinstance(wanted, list):
        raise BadData("must_include is no list of texts")
    alone = len(wanted) == 1
    return [*checks, *(_include_check(asked, item, tokenise=alone) for item in wanted)]


def _include_check(asked: _Asked, wanted: Json, *, tokenise: bool) -> Check:
    value = must_include(wanted, asked.answer, tokenise=tokenise, rules=asked.rules)
    whole = token_rule(normalised(wanted, asked.rules), tokenise=tokenise, rules=asked.rules)
    verb = "is a whole token of" if whole else "occurs in"
    negated = "is no whole token of" if whole else "does not occur in"
    why = f"{quoted(wanted)} {verb if value else negated} {quoted(asked.answer)}"
    return _compared("must_include", asked, wanted, value, why)


def _compared(name: str, asked: _Asked, wanted: Json, value: float, why: str) -> Check:
    return Check(
        name=name,
        target="answer",
        actual=excerpt(asked.given),
        normalised=excerpt(normalised(asked.answer, asked.rules)),
        expected=wanted,
        value=value,
        why=why,
    )


def _fuzzy(asked: _Asked, wanted: Json, checks: list[Check]) -> list[Check]:
    if wanted == NOT_ACHIEVABLE:
        return _unachievable(asked, checks)
    if not isinstance(wanted, list):
        raise BadData(f'fuzzy_match is neither a list of texts nor "{NOT_ACHIEVABLE}"')
    items = [as_text(item, "a reference of fuzzy_match") for item in wanted]
    return [
        *checks,
        *(_judged(asked, fuzzy_question(asked.intent, item, asked.judged), item) for item in items),
    ]


def _unachievable(asked: _Asked, checks: list[Check]) -> list[Check]:
    """As published the verdict replaces the whole product so far; by the paper it is one factor."""
    plain = _exact_check(asked, NOT_ACHIEVABLE)
    if asked.rules == PAPER:
        return [*checks, plain if plain.value else _reason_check(asked)]
    if plain.value and prod(check.value or 0.0 for check in checks if check.counted) == 1:
        return [*checks, plain]
    return [*(_replaced(check) for check in (*checks, plain)), _reason_check(asked)]


def _replaced(check: Check) -> Check:
    return msgspec.structs.replace(
        check, counted=False, why=f"{check.why}; the judge's verdict replaces this value"
    )


def _reason_check(asked: _Asked) -> Check:
    note = as_text(asked.string_note, "the task's string_note")
    return _judged(asked, unachievable_question(asked.intent, note, asked.judged), note)


def _judged(asked: _Asked, question: Question, expected: str) -> Check:
    name = question.kind.rpartition("/")[2]
    check = Check(name=name, target="answer", actual=excerpt(asked.given), expected=expected)
    reply = recorded_reply(question, asked.evidence)
    if reply is None or reply.error:
        asked.open.append(question)
        why = f"the judge gave no reply: {reply.error}" if reply else "no judge has been asked"
        return msgspec.structs.replace(check, status=Status.PENDING, why=why)
    read = msgspec.structs.replace(check, normalised=excerpt(reply.text))
    try:
        value = verdict_value(question, reply, asked.rules)
    except BadData as error:
        return msgspec.structs.replace(read, status=Status.ERROR, why=str(error))
    said = f"{reply.judge or 'the judge'}: {reply.reason or quoted(reply.text)}"
    return msgspec.structs.replace(read, value=value, why=said)


_APPROACHES: dict[str, Callable[[_Asked, Json, list[Check]], list[Check]]] = {
    "exact_match": _exact,
    "must_include": _includes,
    "fuzzy_match": _fuzzy,
}
