"""The difference of two observations, one after the other: nodes added, removed, changed.

Nodes are the same where they have the same id (given once per DOM node), else where role, name and the roles
and names above them are the same, the n-th with the n-th. Of what is left under the same parent, the only
one of its role on either side is the same node with another name.

Foreign records may number nodes anew with every page, and text with every reading: there an id counts for
what is interactive on the same address, else only with the same name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from webbench.core.observation import AccessibilityNode, Observation, StateValue

Key = tuple[object, ...]


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """A property of a node; None on the side where it doesn't have it."""

    name: str
    before: StateValue | None = None
    after: StateValue | None = None


class NodeChange(msgspec.Struct, frozen=True, kw_only=True):
    """One node on both sides, and what differs; `matched_by` is "id", "path" or "place"."""

    before: AccessibilityNode
    after: AccessibilityNode
    fields: tuple[FieldChange, ...]
    matched_by: str


class ObservationDifference(msgspec.Struct, frozen=True, kw_only=True):
    """From one page to the next.

    Attributes:
        known: both sides were recorded; False leaves everything else empty.
        page: url and title where these differ, as field changes.
        added, removed: nodes in document order.
        changed: nodes whose name, value or states differ.
        moved: nodes that differ in nothing but their place on the page.
        same: nodes that differ in nothing.
    """

    known: bool = True
    page: tuple[FieldChange, ...] = ()
    added: tuple[AccessibilityNode, ...] = ()
    removed: tuple[AccessibilityNode, ...] = ()
    changed: tuple[NodeChange, ...] = ()
    moved: int = 0
    same: int = 0

    @property
    def empty(self) -> bool:
        return not (self.page or self.added or self.removed or self.changed)


def observation_difference(before: Observation | None, after: Observation | None) -> ObservationDifference:
    """Compare two observations; None (or one without nodes on either side) is a page that wasn't recorded."""
    if before is None or after is None:
        return ObservationDifference(known=False)
    pairs = _Pairs(before, after)
    changed = []
    moved = same = 0
    for left, right, matched_by in pairs.found():
        fields = _fields(left, right)
        if fields:
            changed.append(NodeChange(before=left, after=right, fields=fields, matched_by=matched_by))
        elif left.box != right.box:
            moved += 1
        else:
            same += 1
    return ObservationDifference(
        page=_page(before, after),
        added=tuple(node for at, node in enumerate(after.nodes) if at not in pairs.lefts),
        removed=tuple(node for at, node in enumerate(before.nodes) if at not in pairs.rights),
        changed=tuple(changed),
        moved=moved,
        same=same,
    )


class _Pairs:
    """Which place of the one page is which of the other; `rights` maps left to right, `lefts` back."""

    def __init__(self, before: Observation, after: Observation) -> None:
        self._before, self._after = before.nodes, after.nodes
        self._parents = _parents(before.nodes), _parents(after.nodes)
        self.rights: dict[int, int] = {}
        self.lefts: dict[int, int] = {}
        self._how: dict[int, str] = {}
        self._read_by_us = "none" not in (before.source, after.source)
        self._same_page = before.url.partition("#")[0] == after.url.partition("#")[0]
        self._by_id()
        self._by_path()
        self._by_place()

    def found(self) -> Iterable[tuple[AccessibilityNode, AccessibilityNode, str]]:
        """In the order of the later page."""
        for right, left in sorted(self.lefts.items()):
            yield self._before[left], self._after[right], self._how[right]

    def _pair(self, left: int, right: int, how: str) -> None:
        self.rights[left], self.lefts[right], self._how[right] = right, left, how

    def _by_id(self) -> None:
        places = {node.id: at for at, node in enumerate(self._before)}
        for right, node in enumerate(self._after):
            left = places.get(node.id)
            if left is None or left in self.rights:
                continue
            other = self._before[left]
            sure = self._read_by_us or (self._same_page and node.interactive)
            if other.role == node.role and (sure or other.name == node.name):
                self._pair(left, right, "id")

    def _by_path(self) -> None:
        waiting: dict[int, list[int]] = defaultdict(list)
        for left, key in enumerate(_paths(self._before, self._parents[0])):
            if left not in self.rights:
                waiting[key].append(left)
        for right, key in enumerate(_paths(self._after, self._parents[1])):
            if right not in self.lefts and waiting.get(key):
                self._pair(waiting[key].pop(0), right, "path")

    def _by_place(self) -> None:
        """Parents stand before their children, so a pair found here helps those below it."""
        lefts, rights = self._alone(0), self._alone(1)
        for right in range(len(self._after)):
            if right in self.lefts:
                continue
            parent = self.lefts.get(self._parents[1][right], -1)
            role = self._after[right].role
            if (parent < 0 and self._parents[1][right] >= 0) or (self._parents[1][right], role) not in rights:
                continue
            left = lefts.get((parent, role))
            if left is not None and left not in self.rights:
                self._pair(left, right, "place")

    def _alone(self, side: int) -> dict[tuple[int, str], int]:
        """Of what is still without a pair: the only ones of their role under their parent."""
        nodes = (self._before, self._after)[side]
        taken = (self.rights, self.lefts)[side]
        keys = [(self._parents[side][at], nodes[at].role) for at in range(len(nodes))]
        counts = Counter(key for at, key in enumerate(keys) if at not in taken)
        return {key: at for at, key in enumerate(keys) if at not in taken and counts[key] == 1}


def _parents(nodes: Sequence[AccessibilityNode]) -> list[int]:
    """Place of each node's parent by its depth, -1 for the root."""
    found: list[int] = []
    above: list[tuple[int, int]] = []
    for at, node in enumerate(nodes):
        while above and above[-1][0] >= node.depth:
            above.pop()
        found.append(above[-1][1] if above else -1)
        above.append((node.depth, at))
    return found


def _paths(nodes: Sequence[AccessibilityNode], parents: Sequence[int]) -> list[int]:
    """For each node a number that stands for the roles and names from the root down to it.

    The root's own name is the page's title, which says nothing of what is below it.
    """
    found: list[int] = []
    for node, parent in zip(nodes, parents, strict=True):
        key: Key = (node.role,) if parent < 0 else (found[parent], node.role, node.name)
        found.append(hash(key))
    return found


def _fields(left: AccessibilityNode, right: AccessibilityNode) -> tuple[FieldChange, ...]:
    changes = [
        FieldChange(name=name, before=before, after=after)
        for name, before, after in (("name", left.name, right.name), ("value", left.value, right.value))
        if before != after
    ]
    if left.states != right.states:
        for name in sorted({*left.states, *right.states}):
            before, after = left.states.get(name), right.states.get(name)
            if before != after:
                changes.append(FieldChange(name=name, before=before, after=after))
    return tuple(changes)


def _page(before: Observation, after: Observation) -> tuple[FieldChange, ...]:
    sides = (("url", before.url, after.url), ("title", before.title, after.title))
    return tuple(FieldChange(name=name, before=a, after=b) for name, a, b in sides if a != b)
