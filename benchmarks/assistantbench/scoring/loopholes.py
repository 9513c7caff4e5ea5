"""When the weaknesses told in `loopholes.json` hold for a score."""

from __future__ import annotations

from webbench.benchmarks.assistantbench.scoring.compare_answers import NUMBERS_NAME, TEXTS_NAME
from webbench.benchmarks.assistantbench.scoring.numbers import has_thousands
from webbench.benchmarks.assistantbench.scoring.rules import LINES, NUMBER_TEXT
from webbench.benchmarks.assistantbench.scoring.words import normalise
from webbench.core.json_types import JsonObject
from webbench.core.score.loopholes import Condition
from webbench.core.score.score import Score, Status, leaf_checks
from webbench.core.task import Task

_REFUSALS = (
    "I cannot answer",
    "I can't answer",
    "I could not find the answer",
    "I couldn't find the answer",
    "I do not know",
    "I don't know",
    "N/A",
    "None",
    "No answer",
    "No answer found",
    "Not available",
    "Not found",
    "Unable to answer",
    "Unable to determine",
    "Unknown",
)
_LONGEST_REFUSAL = 60


def _thousands(task: Task, evidence: JsonObject, score: Score) -> bool:
    """A number with thousands separators was misread, and that changes the score."""
    return score.rules == "published" and any(
        NUMBER_TEXT in leaf.clause and (has_thousands(leaf.actual) or has_thousands(leaf.expected))
        for leaf in leaf_checks(score.checks)
    )


def _above_one(task: Task, evidence: JsonObject, score: Score) -> bool:
    return any((leaf.value or 0) > 1 for leaf in leaf_checks(score.checks))


def _near_number(task: Task, evidence: JsonObject, score: Score) -> bool:
    return any(leaf.name == NUMBERS_NAME and 0 < (leaf.value or 0) < 1 for leaf in leaf_checks(score.checks))


def _same_words(task: Task, evidence: JsonObject, score: Score) -> bool:
    """Full credit for a text whose words come in another order or another number of times."""
    return any(
        leaf.name == TEXTS_NAME
        and leaf.value == 1
        and isinstance(leaf.expected, str)
        and leaf.normalised != normalise(leaf.expected)
        for leaf in leaf_checks(score.checks)
    )


def _unsplit_lines(task: Task, evidence: JsonObject, score: Score) -> bool:
    return score.rules == "published" and any(LINES in check.clause for check in score.checks)


def _refusal(task: Task, evidence: JsonObject, score: Score) -> bool:
    """The whole answer is a refusal in words; a gold answer of the same words is none."""
    answer = evidence.get("answer")
    if score.status is not Status.SCORED or not isinstance(answer, str) or len(answer) > _LONGEST_REFUSAL:
        return False
    return normalise(answer) in _REFUSED and score.value != 1 and score.metrics.get("answered") == 1


_REFUSED = frozenset(normalise(text) for text in _REFUSALS)

CONDITIONS: dict[str, Condition] = {
    "thousands-separator": _thousands,
    "above-one": _above_one,
    "near-number": _near_number,
    "same-words": _same_words,
    "unsplit-lines": _unsplit_lines,
    "refusal-is-an-answer": _refusal,
}
