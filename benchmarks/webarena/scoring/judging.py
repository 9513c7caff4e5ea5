"""What a judge is asked about an answer, and what its reply is worth.

Two kinds of questions, with prompts of our own wording in `prompts/`:

- webarena/fuzzy_match: does the answer mean the same as the reference?
- webarena/unachievable_match: does the answer give the reason why the task can't be done?
"""

from __future__ import annotations

import msgspec

from webbench.benchmarks.webarena.scoring.rules import PAPER
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question, Reply, reply_to
from webbench.core.scoring.judges.verdict import read_verdict

FUZZY = "webarena/fuzzy_match"
UNACHIEVABLE = "webarena/unachievable_match"
CORRECT, PARTIALLY_CORRECT, INCORRECT = "correct", "partially correct", "incorrect"
SAME, DIFFERENT = "same", "different"

_REFUSING = {FUZZY: (PARTIALLY_CORRECT, INCORRECT), UNACHIEVABLE: (DIFFERENT,)}
_GRANTING = {FUZZY: CORRECT, UNACHIEVABLE: SAME}


def fuzzy_question(intent: str, reference: str, answer: str) -> Question:
    return Question(
        kind=FUZZY,
        fields={"intent": intent, "reference": reference, "answer": answer},
        verdicts=(CORRECT, PARTIALLY_CORRECT, INCORRECT),
    )


def unachievable_question(intent: str, reason: str, answer: str) -> Question:
    return Question(
        kind=UNACHIEVABLE,
        fields={"intent": intent, "reason": reason, "answer": answer},
        verdicts=(SAME, DIFFERENT),
    )


def recorded_reply(question: Question, evidence: JsonObject) -> Reply | None:
    """The recorded reply, None where nobody was asked. Raises `BadData` for another shape."""
    try:
        return reply_to(question, evidence)
    except msgspec.ValidationError as error:
        raise BadData(f"the recorded reply to {question.kind} has another shape: {error}") from error


def verdict_value(question: Question, reply: Reply, rules: str) -> float:
    """1 for a granting verdict, 0 for a refusing one; partly right is wrong.

    A verdict line is read by every rule set. Without a readable one, `published` looks for the words
    anywhere in the reply, refusing ones first, so "not correct" is correct, and "not the same" the same.

    Raises `BadData` where no verdict can be read.
    """
    try:
        return float(read_verdict(question, reply) == _GRANTING[question.kind])
    except BadData:
        if rules == PAPER:
            raise
    return _worded_value(question, reply.text)


def _worded_value(question: Question, text: str) -> float:
    lowered = text.lower()
    if any(word in lowered for word in _REFUSING[question.kind]):
        return 0.0
    if _GRANTING[question.kind] in lowered:
        return 1.0
    shown = text if len(text) <= 80 else text[:79] + "…"
    raise BadData(f'unreadable verdict: "{shown}" has none of the words {", ".join(question.verdicts)}')
