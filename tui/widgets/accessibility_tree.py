"""The page as its accessibility tree: fold, search, filter, link hints, and a verb for every letter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.plain_text import plain_text
from webbench.tui.widgets.line import Line
from webbench.tui.widgets.link_hints import hint_labels
from webbench.tui.widgets.node_line import guide_text, node_line
from webbench.tui.widgets.node_verbs import VERBS
from webbench.tui.widgets.outline import NodeFilter, Outline, Rows
from webbench.tui.widgets.row_list import RowList
from webbench.tui.widgets.typed_query import TypedQuery

FULL = NodeFilter()
PARTS = (
    *("guide", "id", "hint", "name", "offscreen", "value", "state", "warning", "focus", "link", "button"),
    *("field", "choice", "heading", "image", "text", "landmark", "alert", "other"),
)


class AccessibilityTree(RowList):
    """Shows an Observation. Cursor, folds, filter and scroll position survive the next one.

    Set `observation`; read `node` for the row under the cursor.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"accessibility-tree--{name}" for name in PARTS}

    DEFAULT_CSS = """
    AccessibilityTree {
        & > .accessibility-tree--guide { color: $foreground 35%; }
        & > .accessibility-tree--id { color: $text-accent; }
        & > .accessibility-tree--hint { color: $background; background: $warning; text-style: bold; }
        & > .accessibility-tree--name { color: $foreground; }
        & > .accessibility-tree--offscreen { color: $foreground 65%; }
        & > .accessibility-tree--value { color: $text-success; text-style: italic; }
        & > .accessibility-tree--state { color: $foreground 65%; }
        & > .accessibility-tree--warning { color: $text-warning; }
        & > .accessibility-tree--focus { color: $text-accent; text-style: bold; }
        & > .accessibility-tree--link { color: $text-primary; text-style: underline; }
        & > .accessibility-tree--button { color: $text-accent; text-style: bold; }
        & > .accessibility-tree--field { color: $text-success; text-style: bold; }
        & > .accessibility-tree--choice { color: $text-warning; text-style: bold; }
        & > .accessibility-tree--heading { color: $text-secondary; text-style: bold; }
        & > .accessibility-tree--image { color: $text-secondary; }
        & > .accessibility-tree--text { color: $foreground 55%; }
        & > .accessibility-tree--landmark { color: $text-secondary; }
        & > .accessibility-tree--alert { color: $text-error; text-style: bold; }
        & > .accessibility-tree--other { color: $foreground 55%; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "unfold", "Unfold", show=False),
        Binding("left,h", "fold", "Fold", show=False),
        Binding("space", "toggle_fold", "Fold", show=False),
        Binding("minus", "fold_all", "Fold all", show=False),
        Binding("plus", "unfold_all", "Unfold all", show=False),
        Binding("slash", "search", "Search"),
        Binding("n", "next_match(1)", "Next match", show=False),
        Binding("N", "next_match(-1)", "Previous match", show=False),
        Binding("i", "toggle_filter('interactive')", "Interactive only"),
        Binding("v", "toggle_filter('viewport')", "Viewport only"),
        Binding("a", "toggle_filter('everything')", "All nodes", show=False),
        Binding("f", "hints", "Link hints"),
        Binding("F", "hints(True)", "Link hints, act at once", show=False),
        Binding("full_stop", "to_focused", "To the focused element", show=False),
        Binding("y", "copy_node", "Copy node", show=False),
        *(Binding(verb.key, f"verb('{verb.verb}')", verb.label, show=False) for verb in VERBS),
    ]

    empty_text = "No page yet: start a task, or wait for the browser."

    @dataclass
    class NodeFocused(Message):
        """The cursor stands on this node."""

        tree: AccessibilityTree
        node: AccessibilityNode

    @dataclass
    class NodeActivated(Message):
        """Enter or double click: do the natural thing for the node's role."""

        tree: AccessibilityTree
        node: AccessibilityNode

    @dataclass
    class VerbChosen(Message):
        """A letter chose a verb (see `node_verbs.VERBS`) for the node under the cursor."""

        tree: AccessibilityTree
        node: AccessibilityNode
        verb: str

    @dataclass
    class SearchChanged(Message):
        """The query or its matches changed; `current` counts from 1, 0 for none."""

        tree: AccessibilityTree
        query: str
        current: int
        total: int

    @dataclass
    class FilterChanged(Message):
        tree: AccessibilityTree
        filter: NodeFilter

    @dataclass
    class HintsChanged(Message):
        """Labels by node id while hints are open, empty when they close."""

        tree: AccessibilityTree
        labels: dict[int, str]

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._observation = Observation()
        self._outline = Outline(())
        self._kept: list[bool] = []
        self._rows = Rows()
        self._folded: set[int] = set()
        self._query = TypedQuery()
        self._matches: list[int] | None = None
        self._hints: dict[int, str] = {}
        self._hint_typed = ""
        self._hint_acts = False
        self.filter = FULL

    def on_mount(self) -> None:
        self._show_titles()

    # Data

    @property
    def observation(self) -> Observation:
        return self._observation

    @observation.setter
    def observation(self, observation: Observation) -> None:
        anchor = self._surviving_anchor(observation)
        screen_line = self.cursor - round(self.scroll_y) if self.row_count else None
        self._observation = observation
        self._outline = Outline(observation.nodes, observation.viewport)
        self._matches = None
        self._close_hints()
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
            self.set_reactive(AccessibilityTree.cursor, self._row_of(anchor))
            return
        self.virtual_size = Size(1, self.row_count)
        row = self._row_of(anchor)
        moved = row != self.cursor
        if screen_line is not None:
            self.scroll_to(y=max(0, row - screen_line), animate=False, force=True, immediate=True)
        self.cursor = row
        self._show_titles()
        self.refresh()
        if not moved and self.row_count and self.is_mounted:
            self.row_focused(self.cursor)

    def _row_of(self, id: int | None) -> int:
        """Row of a node, of its nearest shown ancestor, or of what stands before it; 0 as last resort."""
        index = self._outline.position.get(id, -1) if id is not None else -1
        if index < 0:
            return 0
        from bisect import bisect_right

        return max(0, bisect_right(self._rows.indices, index) - 1)

    # Looks

    def row_line(self, row: int, width: int) -> Line:
        rows, glyphs = self._rows, self.glyphs
        index = rows.indices[row]
        node = self._outline.nodes[index]
        fold = glyphs.leaf
        if node.id in self._folded and self._outline.ends[index] > index + 1:
            fold = glyphs.folded
        elif rows.has_children(row):
            fold = glyphs.unfolded
        return node_line(
            node,
            width,
            guides=guide_text(rows.depths[row], rows.later[row], glyphs, width),
            fold=fold,
            hint=self._hint_of(node.id),
            query=self._query.text,
            glyphs=glyphs,
            part=self.part,
        )

    def _hint_of(self, id: int) -> str:
        label = self._hints.get(id, "")
        return label if label.startswith(self._hint_typed) else ""

    def _show_titles(self) -> None:
        observation = self._observation
        self.border_title = Content(plain_text(observation.title or "Page", limit=60))
        words = [f"{self.row_count:,} of {len(observation.nodes):,} nodes"]
        if self.filter.interactive:
            words.append("interactive only")
        if self.filter.viewport:
            words.append("viewport only")
        if self.filter.everything:
            words.append("all nodes")
        if self._hints:
            words.append(f"hint: {self._hint_typed}▏")
        if self._query.typing or self._query.text:
            words.append(self._query_words())
        if observation.condition != "ok":
            words.insert(0, plain_text(observation.problem or observation.condition, limit=80))
        self.border_subtitle = Content(" · ".join(words))

    def _query_words(self) -> str:
        current, total = self.search_position
        caret = "▏" if self._query.typing else ""
        found = f"{current} of {total}" if total else "no match"
        return f"/{plain_text(self._query.text, limit=40)}{caret} {found}"

    # Cursor and folds

    def row_focused(self, row: int) -> None:
        self.post_message(self.NodeFocused(self, self._node_at(row)))
        if self._query.text:
            self._show_titles()

    def row_activated(self, row: int) -> None:
        self.post_message(self.NodeActivated(self, self._node_at(row)))

    def row_clicked(self, row: int, column: int) -> None:
        guides = guide_text(
            self._rows.depths[row], self._rows.later[row], self.glyphs, self.content_region.width
        )
        if column in (len(guides), len(guides) + 1):
            self.action_toggle_fold()

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

    def set_filter(
        self, *, interactive: bool | None = None, viewport: bool | None = None, everything: bool | None = None
    ) -> None:
        """Change the given parts of the filter; the cursor stays on its node or the nearest above."""
        wanted = {"interactive": interactive, "viewport": viewport, "everything": everything}
        changed = replace(self.filter, **{name: on for name, on in wanted.items() if on is not None})
        if changed == self.filter:
            return
        anchor = self.node.id if self.node else None
        line = self.cursor - round(self.scroll_y)
        self.filter = changed
        self._matches = None
        self._rebuild(anchor, line)
        self.post_message(self.FilterChanged(self, changed))

    def action_toggle_filter(self, name: str) -> None:
        self.set_filter(**{name: not getattr(self.filter, name)})

    # Search

    @property
    def matches(self) -> list[int]:
        """Positions of the nodes that match the query, folded ones too."""
        if self._matches is None:
            self._matches = self._outline.matches(self._query.text, self._kept)
        return self._matches

    @property
    def search_position(self) -> tuple[int, int]:
        """Which match the cursor is on (from 1, 0 for none) and how many there are."""
        matches = self.matches
        index = self._rows.indices[self.cursor] if self.row_count else -1
        return (matches.index(index) + 1 if index in matches else 0), len(matches)

    def search(self, query: str) -> int:
        """Look for a text and go to the first match at or after the cursor; gives the number found."""
        self._query.text = query
        self._matches = None
        if self.matches:
            here = self._rows.indices[self.cursor] if self.row_count else 0
            self._go_to_match(next((at for at in self.matches if at >= here), self.matches[0]))
        self._search_changed()
        return len(self.matches)

    def action_search(self) -> None:
        self._query.open()
        self._search_changed()

    def action_next_match(self, step: int) -> None:
        matches = self.matches
        if not matches:
            self.notify("Nothing to go to: press / and type what to look for.", markup=False)
            return
        here = self._rows.indices[self.cursor] if self.row_count else -1
        if step > 0:
            target = next((at for at in matches if at > here), matches[0])
        else:
            target = next((at for at in reversed(matches) if at < here), matches[-1])
        self._go_to_match(target)
        self._search_changed()

    def _go_to_match(self, index: int) -> None:
        self.focus_id(self._outline.nodes[index].id)

    def _search_changed(self) -> None:
        self._show_titles()
        self.refresh()
        current, total = self.search_position
        self.post_message(self.SearchChanged(self, self._query.text, current, total))

    # Link hints

    @property
    def hints(self) -> dict[int, str]:
        """Labels by node id while hints are open."""
        return dict(self._hints)

    def action_hints(self, act: bool = False) -> None:
        """Label the interactive rows in view; with `act`, choosing one also activates it."""
        nodes = [node for node in self.visible_nodes if node.interactive]
        if not nodes:
            self.notify("No interactive row in view: scroll, or unfold with +.", markup=False)
            return
        self.open_hints([node.id for node in nodes], act=act)

    def open_hints(self, ids: list[int], *, act: bool = False) -> None:
        self._hints = dict(zip(ids, hint_labels(len(ids)), strict=True))
        self._hint_typed, self._hint_acts = "", act
        self._hints_changed()

    def _close_hints(self) -> None:
        if self._hints:
            self._hints, self._hint_typed = {}, ""
            self._hints_changed()

    def _hints_changed(self) -> None:
        self._show_titles()
        self.refresh()
        self.post_message(self.HintsChanged(self, self.hints))

    def _hint_key(self, event: events.Key) -> None:
        typed = self._hint_typed + (event.character or "")
        chosen = next((key for key, label in self._hints.items() if label == typed), None)
        if chosen is not None:
            self._close_hints()
            self.focus_id(chosen)
            if self._hint_acts:
                self.action_activate()
        elif event.is_printable and any(label.startswith(typed) for label in self._hints.values()):
            self._hint_typed = typed
            self._hints_changed()
        else:
            self._close_hints()

    # Keys

    def check_consume_key(self, key: str, character: str | None) -> bool:  # noqa: ARG002
        """While a query or a hint is typed, letters belong to it."""
        return bool((self._query.typing or self._hints) and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        if self._hints:
            event.stop()
            event.prevent_default()
            self._hint_key(event)
        elif self._query.typing:
            outcome = self._query.key(event)
            if outcome != "ignored":
                event.stop()
                event.prevent_default()
            if outcome == "changed":
                self.search(self._query.text)
            elif outcome != "ignored":
                self._matches = None
                self._search_changed()

    def action_verb(self, verb: str) -> None:
        if self.node is not None:
            self.post_message(self.VerbChosen(self, self.node, verb))

    def action_copy_node(self) -> None:
        """Copy id, role and name of the node through the terminal."""
        if (node := self.node) is not None:
            text = f'[{node.id}] {node.role} "{plain_text(node.name, limit=2000)}"'
            self.app.copy_to_clipboard(text)
            self.notify(f"Copied {text[:60]}", markup=False)
