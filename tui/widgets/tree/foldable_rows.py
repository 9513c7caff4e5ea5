"""Foldable rows of an observation's nodes; cursor, folds and place survive the next observation."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any, ClassVar

from textual.geometry import Size

from webbench.core.observation import AccessibilityNode, Observation
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.tree.outline import NodeFilter, Outline, Rows

FULL = NodeFilter()


class OutlineList(RowList):
    """Everything of the accessibility tree that is not about looks, search, hints or verbs."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set()

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._observation = Observation()
        self._outline = Outline(())
        self._kept: list[bool] = []
        self._rows = Rows()
        self._folded: set[int] = set()
        self.filter = FULL

    # What a subclass adds

    def outline_changed(self) -> None:
        """Other nodes may be rows now; called before the rows are made."""

    def filter_changed(self) -> None:
        """The filter was changed; the rows are made."""

    def show_titles(self) -> None:
        """Say in the border what is shown."""

    # Data

    @property
    def observation(self) -> Observation:
        return self._observation

    @observation.setter
    def observation(self, observation: Observation) -> None:
        anchor = self._surviving_anchor(observation)
        screen_line = self.cursor - round(self.scroll_y) if self.row_count else None
        self._observation = observation
        candidates = frozenset(candidate.node for candidate in observation.candidates)
        self._outline = Outline(observation.nodes, observation.viewport, candidates)
        self.outline_changed()
        self._rebuild(anchor, screen_line)

    @property
    def node(self) -> AccessibilityNode | None:
        """The node under the cursor."""
        return self._node_at(self.cursor) if 0 <= self.cursor < self.row_count else None

    @property
    def row_count(self) -> int:
        return len(self._rows.indices)

    @property
    def folded(self) -> frozenset[int]:
        """Ids of folded nodes."""
        return frozenset(self._folded)

    @property
    def visible_nodes(self) -> list[AccessibilityNode]:
        """The nodes in view now, from top to bottom."""
        top = round(self.scroll_y)
        rows = range(top, min(self.row_count, top + self.page_height))
        return [self._node_at(row) for row in rows]

    def _node_at(self, row: int) -> AccessibilityNode:
        return self._outline.nodes[self._rows.indices[row]]

    def _surviving_anchor(self, observation: Observation) -> int | None:
        """Id of the cursor's node, or of the nearest row above it that is still on the page."""
        if not self.row_count:
            return observation.focused
        alive = {node.id for node in observation.nodes}
        rows = range(min(self.cursor, self.row_count - 1), -1, -1)
        return next((found for row in rows if (found := self._node_at(row).id) in alive), None)

    def _rebuild(self, anchor: int | None, screen_line: int | None = None) -> None:
        """Make the rows anew with the cursor on the anchor (or its nearest shown ancestor)."""
        self._kept = self._outline.kept(self.filter)
        self._rows = self._outline.rows(self._kept, self._folded)
        if not self.is_attached:
            self.set_reactive(OutlineList.cursor, self._row_of(anchor))
            return
        self.virtual_size = Size(1, self.row_count)
        row = self._row_of(anchor)
        moved = row != self.cursor
        if screen_line is not None:
            self.scroll_to(y=max(0, row - screen_line), animate=False, force=True, immediate=True)
        self.cursor = row
        self.show_titles()
        self.refresh()
        if not moved and self.row_count and self.is_mounted:
            self.row_focused(self.cursor)

    def _row_of(self, id: int | None) -> int:
        """Row of a node, of its nearest shown ancestor, or of what stands before it; 0 as last resort."""
        index = self._outline.position.get(id, -1) if id is not None else -1
        if index < 0:
            return 0
        return max(0, bisect_right(self._rows.indices, index) - 1)

    # Cursor and folds

    def focus_id(self, id: int) -> bool:
        """Put the cursor on a node, unfolding and, if need be, unfiltering; False if it is not there."""
        index = self._outline.position.get(id)
        if index is None:
            return False
        if not self._kept[index]:
            self.filter = replace(FULL, everything=not self._outline.kept(FULL)[index])
        self._folded.difference_update(
            self._outline.nodes[above].id for above in self._outline.ancestors(index)
        )
        self._rebuild(id)
        self.scroll_to_row(self.cursor, centre=True)
        return True

    def action_to_focused(self) -> None:
        focused = self._observation.focused
        if focused is None or not self.focus_id(focused):
            self.notify("Nothing on the page has the focus.", markup=False)

    def action_unfold(self) -> None:
        node = self.node
        if node is None:
            return
        if node.id in self._folded:
            self._folded.discard(node.id)
            self._rebuild(node.id)
        elif self._rows.has_children(self.cursor):
            self.cursor += 1

    def action_fold(self) -> None:
        node = self.node
        if node is None:
            return
        if node.id not in self._folded and self._rows.has_children(self.cursor):
            self._folded.add(node.id)
            self._rebuild(node.id)
        elif (parent := self._rows.parent(self.cursor)) >= 0:
            self.cursor = parent

    def action_toggle_fold(self) -> None:
        node = self.node
        if node is not None and node.id in self._folded:
            self.action_unfold()
        elif node is not None and self._rows.has_children(self.cursor):
            self.action_fold()

    def action_fold_all(self) -> None:
        """Fold everything below the top rows."""
        outline = self._outline
        self._folded = {
            node.id
            for index, node in enumerate(outline.nodes)
            if self._kept[index] and outline.parents[index] >= 0 and outline.ends[index] > index + 1
        }
        self._rebuild(self.node.id if self.node else None)

    def action_unfold_all(self) -> None:
        self._folded.clear()
        self._rebuild(self.node.id if self.node else None)

    # Filter

    def set_filter(self, **parts: bool) -> None:
        """Change the given parts of the filter; the cursor stays on its node or the nearest above."""
        changed = replace(self.filter, **parts)
        if changed == self.filter:
            return
        anchor = self.node.id if self.node else None
        line = self.cursor - round(self.scroll_y)
        self.filter = changed
        self.outline_changed()
        self._rebuild(anchor, line)
        self.filter_changed()

    def action_toggle_filter(self, name: str) -> None:
        self.set_filter(**{name: not getattr(self.filter, name)})
