"""When a weakness of this evaluator holds for a score."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.benchmarks.webcanvas.scoring.outcomes import ALTERNATIVE
from webbench.benchmarks.webcanvas.scoring.urls import url_exact_match, url_include_match
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.loopholes import Condition
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task


def _key_nodes(task: Task, score: Score) -> Iterator[tuple[JsonObject, Check]]:
    """Each key node with its line in the score."""
    lines = [check for check in score.checks if check.target.startswith("key node ")]
    nodes = task.gold.get("key_nodes")
    if isinstance(nodes, list) and len(lines) == len(nodes):
        yield from zip(nodes, lines, strict=True)


def _reached_at(line: Check, *, itself: bool = False) -> int:
    """The first step at which the node was reached by comparison, 0 where it wasn't.

    `itself` leaves alternatives out.
    """
    lines = [check for check in line.checks if not (itself and check.name.startswith(ALTERNATIVE))]
    at_one = (check.target for check in lines if check.value is not None and check.value >= 1)
    return int(next(at_one, "step 0").removeprefix("step "))


def undone(task: Task, evidence: JsonObject, score: Score) -> bool:
    """A key node of the address that counts is not met on the last page any more."""
    steps = evidence.get("steps")
    if not isinstance(steps, list) or not steps or not isinstance(steps[-1], dict):
        return False
    last = steps[-1].get("url")
    return any(
        line.value == 1 and _reached_at(line, itself=True) and not _meets(node, last)
        for node, line in _key_nodes(task, score)
        if line.name in ("url_exactly_match", "url_included_match")
    )


def out_of_order(task: Task, evidence: JsonObject, score: Score) -> bool:
    """A key node that counts was reached before an earlier one of the annotation was."""
    steps = [step for _, line in _key_nodes(task, score) if line.value == 1 and (step := _reached_at(line))]
    return steps != sorted(steps)


def inside_a_word(task: Task, evidence: JsonObject, score: Score) -> bool:
    """An included address counts although the reference only ends or begins in the middle of a word."""
    return any(
        line.value == 1 and check.value == 1 and _cuts_words(check.expected, check.normalised)
        for _, line in _key_nodes(task, score)
        if line.name == "url_included_match"
        for check in line.checks
    )


def nothing_reached(task: Task, evidence: JsonObject, score: Score) -> bool:
    return score.status is Status.SCORED and score.value == 0 and score.metrics.get("efficiency") == 0


def judge_used(task: Task, evidence: JsonObject, score: Score) -> bool:
    def judged(line: Check) -> bool:
        told = line.name == "semantic" and line.why.startswith("the judge gives")
        return told or any(map(judged, line.checks))

    return any(judged(line) for _, line in _key_nodes(task, score))


def _meets(node: JsonObject, url: Json) -> bool:
    compare = url_exact_match if node["match_function"] == "url_exactly_match" else url_include_match
    try:
        return bool(compare(url, node.get("reference_answer"), node.get("key")))
    except BadData:
        return False


def _cuts_words(reference: Json, text: Json) -> bool:
    """Every place at which the reference stands in the text lies inside of a longer word."""
    if not isinstance(reference, str) or not isinstance(text, str) or not reference:
        return False
    at = text.find(reference)
    found = at >= 0
    while at >= 0:
        end = at + len(reference)
        begins = at > 0 and reference[0].isalnum() and text[at - 1].isalnum()
        ends = end < len(text) and reference[-1].isalnum() and text[end].isalnum()
        if not begins and not ends:
            return False
        at = text.find(reference, at + 1)
    return found


CONDITIONS: dict[str, Condition] = {
    "sticky-key-node": undone,
    "any-order": out_of_order,
    "url-substring": inside_a_word,
    "zero-score-efficiency": nothing_reached,
    "judge-used": judge_used,
}
