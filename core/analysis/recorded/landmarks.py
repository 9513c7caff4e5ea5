"""Where reading begins on a page that one has just come to, and what may be passed over.

Landmarks are those of WAI-ARIA 1.2, section 5.3.4: a person who cannot see the page goes by them, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webbench.core.analysis.recorded.observation_difference import (
    ObservationDifference,
    observation_difference,
)
from webbench.core.observation import AccessibilityNode, Observation

LANDMARKS = frozenset(
    {"banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"}
)
AROUND = frozenset({"banner", "complementary", "contentinfo", "navigation", "search"})
"""Landmarks around the content, which the pages of a site have in common."""
MOST_COMPARED = 5_000
"""Nodes of a page up to which it is compared with the one before; reading begins at `main` beyond."""


class Arrival(NamedTuple):
    """Ids of nodes.

    Attributes:
        node: where reading begins; None at the top.
        unchanged: outermost landmarks around the content that the page before had just so.
    """

    node: int | None
    unchanged: frozenset[int]


def is_other_page(before: Observation, after: Observation) -> bool:
    """Whether the person has come to another page, by a load or by a script that changed the address."""
    if not before.nodes or not after.nodes:
        return bool(after.nodes)
    moved = before.url.partition("#")[0] != after.url.partition("#")[0]
    return moved or before.nodes[0].id != after.nodes[0].id


def arrival(before: Observation, after: Observation) -> Arrival:
    """Where one begins to read: at the page's heading in `main` if it is new, else at what is new there.

    Without either at what is new anywhere, or at `main`. Never in what is passed over: there only states
    differ, as that of the link to the page itself.

    Args:
        before: an observation without nodes where there was no page.
    """
    main = next((place for place, node in enumerate(after.nodes) if node.role == "main"), None)
    at_main = after.nodes[main].id if main is not None else None
    if not before.nodes or max(len(before.nodes), len(after.nodes)) > MOST_COMPARED:
        return Arrival(at_main, frozenset())
    unchanged = _unchanged(before.nodes, after.nodes)
    passed = {
        node.id
        for place, root in enumerate(after.nodes)
        if root.id in unchanged
        for node in subtree(after.nodes, place)
    }
    new = observation_difference(before, after)
    changed = [one for one in _outermost(new, after) if one not in passed]
    inside = subtree(after.nodes, main) if main is not None else ()
    in_main = {node.id for node in inside[1:]}
    told = {node.id for node in new.added} | {change.after.id for change in new.changed}
    titles = (node.id for node in inside if node.role == "heading" and node.states.get("level") == 1)
    first = next((one for one in titles if one in told), None)
    if first is None:
        first = next((one for one in changed if one in in_main), None)
    if first is None and at_main is None:
        first = next(iter(changed), None)
    return Arrival(at_main if first is None else first, unchanged)


def changed_nodes(before: Observation, after: Observation) -> tuple[int, ...]:
    """Ids of what came or changed, in document order; of a part that came as a whole only its outermost."""
    return _outermost(observation_difference(before, after), after)


def _outermost(difference: ObservationDifference, after: Observation) -> tuple[int, ...]:
    came = {node.id for node in difference.added}
    new = came | {change.after.id for change in difference.changed}
    found: list[int] = []
    around: AccessibilityNode | None = None
    for place, node in enumerate(after.nodes):
        if around is not None and node.depth > around.depth:
            continue
        around = None
        if place and node.id in new:
            found.append(node.id)
            around = node if node.id in came else None
    return tuple(found)


def subtree(nodes: Sequence[AccessibilityNode], place: int) -> Sequence[AccessibilityNode]:
    """A node and all below it."""
    depth, end = nodes[place].depth, place + 1
    while end < len(nodes) and nodes[end].depth > depth:
        end += 1
    return nodes[place:end]


def _unchanged(before: Sequence[AccessibilityNode], after: Sequence[AccessibilityNode]) -> frozenset[int]:
    known = {signature for _, signature in _around(before)}
    return frozenset(node.id for node, signature in _around(after) if signature in known)


def _around(
    nodes: Sequence[AccessibilityNode],
) -> list[tuple[AccessibilityNode, tuple[tuple[str, str, int], ...]]]:
    """The outermost landmarks around the content, each with what it says; fields count by name only."""
    found = []
    inside: AccessibilityNode | None = None
    for place, node in enumerate(nodes):
        if inside is not None and node.depth > inside.depth:
            continue
        inside = node if node.role in AROUND else None
        if inside is not None:
            below = subtree(nodes, place)
            found.append((node, tuple((one.role, one.name, one.depth - node.depth) for one in below)))
    return found
