"""Foldable rows of an observation's nodes; folds and filter survive the next one. No terminal in here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from webbench.core.observation import AccessibilityNode, Observation
from webbench.tui.widgets.tree.outline import NodeFilter, Outline, Rows

FULL = NodeFilter()


class FoldableRows:
    """Which nodes of a page are rows now.

    Attributes:
        filter: set it with `choose`.
        folded: ids of folded nodes.
        rows: made anew by every change.
    """

    def __init__(self) -> None:
        self.observation = Observation()
        self.outline = Outline(())
        self.filter = FULL
        self.folded: set[int] = set()
        self.rows = Rows()
        self._kept: list[bool] = []

    def __len__(self) -> int:
        return len(self.rows.indices)

    def show(self, observation: Observation, fold: Iterable[int] = ()) -> None:
        """The page is another one, or looks otherwise now; `fold` names nodes to be folded."""
        self.observation = observation
        self.folded.update(fold)
        candidates = frozenset(candidate.node for candidate in observation.candidates)
        self.outline = Outline(observation.nodes, observation.viewport, candidates)
        self._make()

    def choose(self, filter: NodeFilter) -> None:
        self.filter = filter
        self._make()

    def _make(self) -> None:
        self._kept = self.outline.kept(self.filter)
        self._make_rows()

    def _make_rows(self) -> None:
        self.rows = self.outline.rows(self._kept, self.folded)

    # Rows and nodes

    def node(self, row: int) -> AccessibilityNode:
        return self.outline.nodes[self.rows.indices[row]]

    def row_of(self, id: int | None) -> int:
        """Row of a node, of its nearest shown ancestor, or of what stands before it; 0 as last resort."""
        index = self.outline.position.get(id, -1) if id is not None else -1
        return max(0, bisect_right(self.rows.indices, index) - 1) if index >= 0 else 0

    def lasting(self, row: int, observation: Observation) -> int | None:
        """Id of a row's node, or of the nearest row above it, that is on another page too.

        At first that of the element that has the focus; a page itself has it where no element has.
        """
        if not len(self):
            root = observation.nodes[0].id if observation.nodes else None
            return observation.focused if observation.focused != root else None
        row = min(row, len(self) - 1)
        own = self.node(row).id
        if any(node.id == own for node in observation.nodes):
            return own
        there = {node.id for node in observation.nodes}
        return next((found for one in range(row - 1, -1, -1) if (found := self.node(one).id) in there), None)

    def matches(self, query: str) -> list[int]:
        """Positions of the nodes that match a query, folded ones too."""
        return self.outline.matches(query, self._kept)

    def kept_in(self, index: int) -> int | None:
        """Position of a node, or of the first below it, that the filter lets be a row; without one itself."""
        if self.filter == FULL:
            return index
        return next((at for at in range(index, self.outline.ends[index]) if self._kept[at]), None)

    # Folds

    def reveal(self, id: int) -> bool:
        """Make a row of a node, unfolding and, if need be, unfiltering; False if it is not there."""
        index = self.outline.position.get(id)
        if index is None:
            return False
        if not self._kept[index]:
            self.filter = replace(FULL, everything=not self.outline.kept(FULL)[index])
        self.folded.difference_update(self.outline.nodes[one].id for one in self.outline.ancestors(index))
        self._make()
        return True

    def is_folded(self, row: int) -> bool:
        """Whether something is folded away below it."""
        index = self.rows.indices[row]
        return self.outline.nodes[index].id in self.folded and self.outline.ends[index] > index + 1

    def fold(self, id: int) -> None:
        self.folded.add(id)
        self._make_rows()

    def unfold(self, id: int) -> None:
        self.folded.discard(id)
        self._make_rows()

    def fold_all(self) -> None:
        """Fold everything below the top rows."""
        outline = self.outline
        self.folded = {
            node.id
            for index, node in enumerate(outline.nodes)
            if self._kept[index] and outline.parents[index] >= 0 and outline.ends[index] > index + 1
        }
        self._make_rows()

    def unfold_all(self) -> None:
        self.folded.clear()
        self._make_rows()
