"""A judge's verdict, a word of a closed set on the last line of its reply, and the score that it decides."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question, Reply
from webbench.core.score.score import Check, Score, digest
from webbench.core.scoring.judges.json_form import reply_lines

CUT_OFF = "cut off at its limit of tokens"
_VERDICT = re.compile(r"VERDICT:(.*)")
_SHOWN = 80


def verdict_line(word: str) -> str:
    """The line that says this verdict."""
    return f"VERDICT: {word}"


def read_verdict(question: Question, reply: Reply) -> str:
    """The verdict that was given, as the question writes it; upper and lower case are alike.

    Raises `BadData` for a reply that failed and for one whose verdict can't be read. It is never guessed:
    a word outside the set, a sentence, or two different verdicts are unreadable. So is a reply that was cut
    off: "VERDICT: 1" may be the beginning of "VERDICT: 12".
    """
    if reply.error:
        raise BadData(f"{reply.judge or 'the judge'} gave no reply: {reply.error}")
    if reply.cut:
        raise _unreadable(question, f"the reply was {CUT_OFF}")
    lines = [line for line in reply_lines(reply.text) if line]
    given = [match[1].strip() for line in lines if (match := _VERDICT.fullmatch(line))]
    if not lines or not _VERDICT.fullmatch(lines[-1]):
        raise _unreadable(question, f"the last line is {_last_line(lines)}")
    if len({word.casefold() for word in given}) > 1:
        raise _unreadable(question, f"it gives {len(given)} different ones")
    known = {word.casefold(): word for word in question.verdicts}
    if given[-1].casefold() not in known:
        raise _unreadable(question, f"the last line is {_last_line(lines)}")
    return known[given[-1].casefold()]


def one_verdict(
    check: Check, evidence: JsonObject, *, rules: str, evaluator: str, data: Json, waits_for: str
) -> Score:
    """The score of an episode that one verdict decides, by the check that tells it; pending without a value.

    Args:
        evaluator: its name and version.
        data: what of the task decides.
        waits_for: the reason while nobody has judged.
    """
    pending = check.value is None
    return Score(
        status=check.status,
        value=check.value,
        reason=waits_for if pending else "",
        rules=rules,
        combination="one verdict",
        checks=(check,),
        metrics={"success": check.value},
        interval=(0.0, 1.0) if pending else None,
        evaluator=evaluator,
        data_sha256=digest(data),
        evidence_sha256=digest(evidence),
    )


def _unreadable(question: Question, why: str) -> BadData:
    words = ", ".join(question.verdicts)
    return BadData(
        f"unreadable verdict: {why}", f'the last line has to be "{verdict_line("…")}" with {words}'
    )


def _last_line(lines: Sequence[str]) -> str:
    if not lines:
        return "empty"
    last = lines[-1]
    return f'"{last}"' if len(last) <= _SHOWN else f'"{last[: _SHOWN - 1]}…"'
