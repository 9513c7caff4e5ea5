"""What became of each key node over a recorded episode, comparison by comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PAPER, Match
from webbench.core.errors import WebbenchError
from webbench.core.json_types import Json
from webbench.core.judge import Question
from webbench.core.score.score import Check, Status
from webbench.core.text.plural import counted

PARTIAL_CLAUSE = "semantic match: published = adds the fraction; paper = a key node is reached or not"

DIFFERENT = "computed again from the recorded steps it comes out differently"
"""What the line of a key node says whose recorded score its own steps contradict."""

Verdict = Callable[[str, str], float]


ALTERNATIVE = "alternative "
"""How the line of an alternative is named, before its number."""
STEP = "step "
"""How the line of a comparison names the step that it is of."""


class VerdictMissing(WebbenchError):
    """A judge has to answer first."""

    def __init__(self, question: Question) -> None:
        super().__init__("a judge has to answer first")
        self.question = question


class OtherWay(msgspec.Struct, frozen=True, kw_only=True):
    """An alternative after the episode, as it stands for one of its key nodes.

    With r of its k nodes reached, m * r / k of the m key nodes that it stands for count, in their order:
    never more than there are.

    Attributes:
        number: of the alternative, from 1.
        instead_of: numbers of the key nodes that it stands for.
        place: which of those this is about, from 0.
        nodes: how its own nodes stand.
        note: the alternative in words.
    """

    number: int
    instead_of: tuple[int, ...]
    place: int
    nodes: tuple[Outcome, ...]
    note: str = ""

    def credit(self, rules: str) -> float:
        """How far it makes up for the key node, in [0, 1]; by the paper wholly or not, as a key node is."""
        reached = sum(one.counted(rules) for one in self.nodes)
        far = min(1.0, max(0.0, len(self.instead_of) * reached / len(self.nodes) - self.place))
        return float(far >= 1) if rules == PAPER else far

    @property
    def step(self) -> int:
        """At which it had made up for the key node, or came nearest to it."""
        steps = sorted(one.step for one in self.nodes if one.value >= 1)
        needed = math.ceil((self.place + 1) * len(self.nodes) / len(self.instead_of))
        if len(steps) >= needed:
            return steps[needed - 1]
        return max((one.step for one in self.nodes if one.value > 0), default=0)

    @property
    def status(self) -> Status:
        return _worst([one.status for one in self.nodes])

    @property
    def label(self) -> str:
        return f"{ALTERNATIVE}{self.number}"


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
        ways: the alternatives that can stand for it.
        met_by: number of the alternative that gave the value, 0 = its own function did.
        own: what its own function came to, where an alternative gave the value.
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
    ways: tuple[OtherWay, ...] = ()
    met_by: int = 0
    own: float = 0.0

    @property
    def status(self) -> Status:
        """Scored, unless what is open here or on an alternative could still change the value."""
        if self.value >= 1:
            return Status.SCORED
        return _worst([self.own_status, *(way.status for way in self.ways)])

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Its own, and those of its alternatives."""
        return (
            *self.questions,
            *(question for way in self.ways for one in way.nodes for question in one.questions),
        )

    @property
    def way(self) -> OtherWay | None:
        """The alternative that gave the value."""
        return next((way for way in self.ways if way.number == self.met_by), None)

    @property
    def own_status(self) -> Status:
        """What became of its own evaluation function."""
        if self.recorded or (self.value >= 1 and not self.met_by):
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


def _worst(found: Sequence[Status]) -> Status:
    """What decides over several: an error, then what can't be known, then what is open."""
    hard = (Status.ERROR, Status.NOT_SCORED, Status.PENDING)
    return next((one for one in hard if one in found), Status.SCORED)


def check(found: Outcome, number: int, rules: str) -> Check:
    """The line of one key node, with every comparison and every alternative below it."""
    return _line(found, f"key node {number}", rules)


def _line(found: Outcome, target: str, rules: str) -> Check:
    node, status = found.node, found.status
    partial = 0 < found.value < 1
    comparisons = counted(len(found.comparisons), "comparison")
    ways = counted(len(found.ways), "alternative")
    parts = [comparisons] if found.comparisons else []
    parts += [ways] if found.ways else []
    actual, normalised, expected = _decisive_values(found)
    return Check(
        name=node.match_function,
        target=target,
        actual=actual,
        normalised=normalised,
        expected=expected,
        status=status,
        value=found.counted(rules) if status is Status.SCORED else None,
        why=_why(found),
        clause=PARTIAL_CLAUSE if partial and status is Status.SCORED else "",
        combination=f"best of {' and '.join(parts)}" if parts else "",
        checks=(*found.comparisons, *(_way_line(way, rules) for way in found.ways)),
    )


def _way_line(way: OtherWay, rules: str) -> Check:
    """The line of an alternative below the key node that it can stand for.

    Its target is the step at which it had made up for the node, as with comparisons.
    """
    credit, status = way.credit(rules), way.status
    reached = sum(one.value >= 1 for one in way.nodes)
    told = "key node" + "s" * (len(way.instead_of) > 1)
    numbers = ", ".join(map(str, way.instead_of))
    nodes = counted(len(way.nodes), "node")
    note = f": {way.note}" if way.note else ""
    return Check(
        name=way.label,
        target=_step(way.step) if credit >= 1 else way.label,
        actual=reached,
        expected=len(way.nodes),
        status=Status.SCORED if credit >= 1 else status,
        value=credit if credit >= 1 or status is Status.SCORED else None,
        why=f"{reached} of {nodes} met, in place of {told} {numbers}{note}",
        combination=f"{nodes} for {counted(len(way.instead_of), 'key node')}",
        checks=tuple(
            _line(one, f"{way.label}, node {place}", rules) for place, one in enumerate(way.nodes, start=1)
        ),
    )


def _decisive_values(found: Outcome) -> tuple[Json, Json, Json]:
    """Actual, normalised and expected, of the alternative where one gave the value."""
    way = found.way
    if way is None:
        one = _decisive(found) if found.comparisons else None
        reference = found.node.reference_answer
        return (one.actual, one.normalised, reference) if one is not None else (None, None, reference)
    if len(way.nodes) == 1:
        return _decisive_values(way.nodes[0])
    each = [_decisive_values(one) for one in way.nodes]
    actual, normalised, expected = ([one[place] for one in each] for place in range(3))
    return actual, normalised, expected


def _decisive(found: Outcome) -> Check:
    """The comparison at which the node got furthest, else the last one.

    A step may have two: with the page before the action, and with the one that it led to.
    """
    at_step = [one for one in found.comparisons if one.target == _step(found.step)]
    best = (one for one in at_step if one.value == found.value)
    return next(best, at_step[0] if at_step else found.comparisons[-1])


def _why(found: Outcome) -> str:
    way = found.way
    if way is not None and found.value >= 1:
        own = f"; the framework recorded {found.own:g}" if found.recorded else ""
        return f"met by {way.label} at step {way.step} and kept{own}"
    if found.recorded:
        again = "" if _agrees(found) else f"; {DIFFERENT}"
        return f"{found.own if way else found.value:g} as the framework recorded it{again}"
    if found.status in (Status.ERROR, Status.NOT_SCORED, Status.PENDING):
        return _why_open(found)
    if found.value >= 1:
        return f"reached at step {found.step} and kept" if found.step else "reached before the first step"
    if way is not None:
        reached = sum(one.value >= 1 for one in way.nodes)
        return f"partly made up for by {way.label}: {reached} of {counted(len(way.nodes), 'node')} met"
    if found.value > 0:
        return f"partly reached at step {found.step} and kept"
    other = ", nor by an alternative" if found.ways else ""
    return (f"not reached up to step {found.last}" if found.last else "not reached yet") + other


def _why_open(found: Outcome) -> str:
    """Why the node has no value yet: by its own function, else by the alternative that is open."""
    if found.own_status is not found.status:
        way = next(way for way in found.ways if way.status is found.status)
        return f"{way.label}: {_why_open(next(one for one in way.nodes if one.status is found.status))}"
    if found.status is Status.ERROR:
        return found.error or found.unusable
    if found.status is Status.NOT_SCORED:
        return f"the page of step {found.missing[0]} decides, and it wasn't recorded"
    count = len({question.key for question in found.questions})
    return f"a judge has to answer {count} question{'s' * (count > 1)}"


def _agrees(found: Outcome) -> bool:
    """Whether the comparisons that could be made give the recorded value, or leave it open."""
    values = [one.value for one in found.comparisons if one.value is not None]
    best = max(values, default=0.0)
    recorded = found.own if found.met_by else found.value
    return best == recorded or (best < recorded and len(values) < len(found.comparisons))


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
