"""What became of each key node over a recorded episode, comparison by comparison."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PAPER, Match
from webbench.core.errors import WebbenchError
from webbench.core.judge import Question
from webbench.core.score.score import Check, Status
from webbench.core.text.plural import counted

PARTIAL_CLAUSE = "semantic match: published = adds the fraction; paper = a key node is reached or not"

DIFFERENT = "computed again from the recorded steps it comes out differently"
"""What the line of a key node says whose recorded score its own steps contradict."""

Verdict = Callable[[str, str], float]


STEP = "step "
"""How the line of a comparison names the step that it is of."""


class VerdictMissing(WebbenchError):
    """A judge has to answer first."""

    def __init__(self, question: Question) -> None:
        super().__init__("a judge has to answer first")
        self.question = question


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One key node after the episode.

    Attributes:
        value: the best it got; what it counts under the rule set is `counted`.
        step: at which it got that far, from 1; 0 = the start page, or never above where it stood before.
        last: up to which step it was looked for.
        comparisons: one per event that shows what the node is about, until it was reached.
        error: why the rule set's code would fail.
        unusable: what is wrong with a judge's reply to one of the comparisons.
        missing: steps whose page would have to be known.
        questions: what a judge has to answer before the value is final.
        recorded: the value is the one the framework wrote down.
    """

    node: KeyNode
    value: float
    step: int = 0
    last: int = 0
    comparisons: tuple[Check, ...] = ()
    error: str = ""
    unusable: str = ""
    missing: tuple[int, ...] = ()
    questions: tuple[Question, ...] = ()
    recorded: bool = False

    @property
    def status(self) -> Status:
        if self.recorded or self.value >= 1:
            return Status.SCORED
        if self.error:
            return Status.ERROR
        if self.missing:
            return Status.NOT_SCORED
        if self.questions:
            return Status.PENDING
        return Status.ERROR if self.unusable else Status.SCORED

    def counted(self, rules: str) -> float:
        return float(self.value >= 1) if rules == PAPER else self.value


def check(found: Outcome, number: int, rules: str) -> Check:
    """The line of one key node, with every comparison below it."""
    node, status = found.node, found.status
    partial = 0 < found.value < 1
    return Check(
        name=node.match_function,
        target=f"key node {number}",
        actual=_decisive(found).actual if found.comparisons else None,
        normalised=_decisive(found).normalised if found.comparisons else None,
        expected=node.reference_answer,
        status=status,
        value=found.counted(rules) if status is Status.SCORED else None,
        why=_why(found),
        clause=PARTIAL_CLAUSE if partial and status is Status.SCORED else "",
        combination=f"best of {counted(len(found.comparisons), 'comparison')}" if found.comparisons else "",
        checks=found.comparisons,
    )


def _decisive(found: Outcome) -> Check:
    """The comparison at which the node got furthest, else the last one."""
    return next((one for one in found.comparisons if one.target == _step(found.step)), found.comparisons[-1])


def _why(found: Outcome) -> str:
    if found.recorded:
        again = "" if _agrees(found) else f"; {DIFFERENT}"
        return f"{found.value:g} as the framework recorded it{again}"
    if found.status is Status.ERROR:
        return found.error or found.unusable
    if found.status is Status.NOT_SCORED:
        return f"the page of step {found.missing[0]} decides, and it wasn't recorded"
    if found.status is Status.PENDING:
        count = len({question.key for question in found.questions})
        return f"a judge has to answer {count} question{'s' * (count > 1)}"
    if found.value >= 1:
        return f"reached at step {found.step} and kept" if found.step else "reached before the first step"
    if found.value > 0:
        return f"partly reached at step {found.step} and kept"
    return f"not reached up to step {found.last}" if found.last else "not reached yet"


def _agrees(found: Outcome) -> bool:
    """Whether the comparisons that could be made give the recorded value, or leave it open."""
    values = [one.value for one in found.comparisons if one.value is not None]
    best = max(values, default=0.0)
    return best == found.value or (best < found.value and len(values) < len(found.comparisons))


def compared(node: KeyNode, number: int, found: Match) -> Check:
    """The line of one comparison, at step `number`."""
    return Check(
        name=node.manner or "unknown function",
        target=_step(number),
        actual=found.actual,
        normalised=found.normalised,
        expected=node.reference_answer,
        value=found.value,
        why=found.why,
    )


def left_open(node: KeyNode, number: int, status: Status, why: str) -> Check:
    """The line of a comparison that couldn't be made."""
    return Check(
        name=node.manner,
        target=_step(number),
        expected=node.reference_answer,
        status=status,
        why=why,
    )


def _step(number: int) -> str:
    return f"{STEP}{number}"


def step_reached(found: Check) -> int | None:
    """The step whose comparison met the key node in full, as the node's own line tells."""
    met = (one.target for one in found.checks if one.value is not None and one.value >= 1)
    number = next(met, "").removeprefix(STEP)
    return int(number) if number.isdecimal() else None
