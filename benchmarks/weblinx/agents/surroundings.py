"""The part of a page that is shown with its candidates: what stands around them in the tree.

Source: WebLINX, section 5.1 and appendix (pruned and truncated DOM). Shown are the candidates, all that
stands above them, and a few nodes below and beside each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.plain_text import plain_text

BELOW = 5
BESIDE = 3
_LONGEST_NAME = 500


def lines_around(observation: Observation) -> list[str]:
    """The kept nodes in document order, one a line, indented by how deep they stand."""
    nodes = observation.nodes
    places = {node.id: place for place, node in enumerate(nodes)}
    kept: set[int] = set()
    for candidate in observation.candidates:
        if candidate.node in places:
            kept.update(_around(nodes, places[candidate.node]))
    return [_line(nodes[place]) for place in sorted(kept)]


def _around(nodes: Sequence[AccessibilityNode], place: int) -> Iterator[int]:
    """The node itself, those above it, the first below it, the next ones beside it."""
    yield place
    depth = nodes[place].depth
    for above in range(place - 1, -1, -1):
        if nodes[above].depth < depth:
            depth = nodes[above].depth
            yield above
    yield from _following(nodes, place)


def _following(nodes: Sequence[AccessibilityNode], place: int) -> Iterator[int]:
    depth, below, beside = nodes[place].depth, 0, 0
    for at in range(place + 1, len(nodes)):
        if nodes[at].depth < depth or beside > BESIDE:
            return
        if nodes[at].depth == depth:
            beside += 1
            if beside <= BESIDE:
                yield at
        elif not beside and below < BELOW:
            below += 1
            yield at


def _line(node: AccessibilityNode) -> str:
    name = plain_text(node.name, limit=_LONGEST_NAME)
    return f"{' ' * min(node.depth, 20)}[{node.id}] {node.role} {name!r}"
