"""Key nodes over a whole episode: order-free, and sticky once reached.

An event is held against every key node that doesn't stand at exactly 1; each keeps the best it ever got:
score(n) = max(score(n - 1), match(node, event n)). Without a key node there is nothing to follow, and a sum
over none of them is 0; whether that is a score is the evaluator's business.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.alternatives import with_alternatives
from webbench.benchmarks.webcanvas.scoring.judge_replies import UnusableReply
from webbench.benchmarks.webcanvas.scoring.key_nodes import Alternative, KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import Event, PageMissing, match
from webbench.benchmarks.webcanvas.scoring.outcomes import (
    Outcome,
    Verdict,
    VerdictMissing,
    compared,
    left_open,
)
from webbench.benchmarks.webcanvas.scoring.recorded_page import Page
from webbench.core.errors import BadData
from webbench.core.judge import Question
from webbench.core.score.score import Check, Status


class Progress:
    """One key node on its way through an episode."""

    def __init__(self, node: KeyNode) -> None:
        self.node, self.best, self.step, self.last = node, node.score, 0, 0
        self._error = self._unusable = ""
        self._comparisons: list[Check] = []
        self._missing: list[int] = []
        self._questions: list[Question] = []

    def see(self, number: int, event: Event, page: Page, verdict: Verdict, rules: str) -> None:
        """Hold an event of step `number` against the node, unless it is reached or its function failed.

        A judge's reply that can't be used leaves the node open to later events. An event without the element
        or text that the node is about is nothing to compare.
        """
        if self.best == 1 or self._error:
            return
        self.last = number
        if _lacks(self.node, event):
            return
        try:
            found = match(self.node, event, page, verdict, rules)
        except VerdictMissing as open_one:
            self._questions.append(open_one.question)
            line = left_open(self.node, number, Status.PENDING, "a judge has to say")
        except PageMissing as lacking:
            self._missing.append(number)
            line = left_open(self.node, number, Status.NOT_SCORED, lacking.message)
        except UnusableReply as error:
            self._unusable = self._unusable or f"step {number}: {error}"
            line = left_open(self.node, number, Status.ERROR, str(error))
        except BadData as error:
            self._error = f"step {number}: {error}"
            line = left_open(self.node, number, Status.ERROR, str(error))
        else:
            line = compared(self.node, number, found)
            if found.value > self.best:
                self.best, self.step = found.value, number
        self._comparisons.append(line)

    def outcome(self) -> Outcome:
        """How the node stands."""
        return Outcome(
            node=self.node,
            value=self.best,
            step=self.step,
            last=self.last,
            comparisons=tuple(self._comparisons),
            error=self._error,
            unusable=self._unusable,
            missing=tuple(self._missing),
            questions=tuple(self._questions),
        )


def _lacks(node: KeyNode, event: Event) -> bool:
    """Whether the event can't meet the node for want of what it looks at."""
    if node.target in ("path", "value"):
        return event.path is None
    return node.target == "text" and event.text in (None, "")


def follow(
    nodes: Sequence[KeyNode], events: Sequence[Event], verdict: Verdict, rules: str
) -> Iterator[tuple[Progress, ...]]:
    """The nodes before the first event and after each one: always the same objects, further along."""
    found = tuple(map(Progress, nodes))
    yield found
    for place, event in enumerate(events, start=1):
        page = Page(event.html)
        for one in found:
            one.see(place if event.number is None else event.number, event, page, verdict, rules)
        yield found


def outcomes(
    nodes: Sequence[KeyNode],
    events: Sequence[Event],
    verdict: Verdict,
    rules: str,
    alternatives: Sequence[Alternative] = (),
    recorded: Sequence[float] | None = None,
) -> list[Outcome]:
    """How each node stands after the last event. Raises nothing but what `verdict` raises unasked.

    Args:
        alternatives: other ways past the nodes; what the best of them give is counted.
        recorded: a score per node that wins over its own function.
    """
    others = [node for one in alternatives for node in one.nodes]
    *_, last = follow((*nodes, *others), events, verdict, rules)
    every = [one.outcome() for one in last]
    own, found = every[: len(nodes)], iter(every[len(nodes) :])
    if recorded is not None:
        own = [
            msgspec.structs.replace(one, value=score, recorded=True)
            for one, score in zip(own, recorded, strict=True)
        ]
    stands = [tuple(itertools.islice(found, len(one.nodes))) for one in alternatives]
    return with_alternatives(own, alternatives, stands, rules) if alternatives else own
