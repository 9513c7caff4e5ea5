"""Key nodes over a whole episode: order-free, and sticky once reached.

An event is held against every key node that doesn't stand at exactly 1; each keeps the best it ever got.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webcanvas.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.matching import PUBLISHED, Event, Judge, match
from webbench.benchmarks.webcanvas.page import Page
from webbench.core.json_types import JsonObject


class State(msgspec.Struct, frozen=True):
    """All key nodes after one event."""

    scores: tuple[float, ...]
    matched: tuple[JsonObject, ...]
    """{match function: reference} of those at 1, in their order."""

    @property
    def total(self) -> float:
        return sum(self.scores)


def states(
    nodes: Sequence[KeyNode], events: Sequence[Event], judge: Judge, rules: str = PUBLISHED
) -> list[State]:
    """The state after each event. Raises as `matching.match`."""
    scores = [node.score for node in nodes]
    found: list[State] = []
    for event in events:
        page = Page(event.html)
        for at, node in enumerate(nodes):
            if scores[at] != 1:
                scores[at] = max(scores[at], match(node, event, page, judge, rules).value)
        matched = tuple(
            {node.match_function: node.reference_answer}
            for node, score in zip(nodes, scores, strict=True)
            if score >= 1
        )
        found.append(State(tuple(scores), matched))
    return found
