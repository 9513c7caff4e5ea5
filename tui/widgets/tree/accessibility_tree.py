"""The page as its accessibility tree: fold, search, filter, link hints, and a verb for every letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.typed_query import TypedQuery
from webbench.tui.widgets.picture.marks import marked_nodes
from webbench.tui.widgets.tree.foldable_rows import OutlineList
from webbench.tui.widgets.tree.link_hints import hint_labels
from webbench.tui.widgets.tree.outline import NodeFilter
from webbench.tui.widgets.tree.tree_row import guide_text, node_line

PARTS = (
    *("guide", "id", "hint", "name", "offscreen", "value", "state", "warning", "focus", "link", "button"),
    *("field", "choice", "heading", "image", "text", "landmark", "alert", "other"),
)


class AccessibilityTree(OutlineList):
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

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tree")]

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
        self._query = TypedQuery()
        self._matches: list[int] | None = None
        self._search_start = (0, 0)
        self._hints: dict[int, str] = {}
        self._ranks: dict[int, int] = {}
        self._hint_typed = ""
        self._hint_acts = False

    def on_mount(self) -> None:
        self.show_titles()

    def outline_changed(self) -> None:
        ranked = enumerate(self._observation.candidates, 1)
        self._ranks = {candidate.node: rank for rank, candidate in ranked}
        self._matches = None
        self._close_hints()

    def filter_changed(self) -> None:
        self.post_message(self.FilterChanged(self, self.filter))

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
            rank=self._ranks.get(node.id, 0),
            query=self._query.text,
            glyphs=glyphs,
            part=self.part,
        )

    def _hint_of(self, id: int) -> str:
        label = self._hints.get(id, "")
        return label if label.startswith(self._hint_typed) else ""

    def show_titles(self) -> None:
        observation = self._observation
        self.border_title = Content(plain_text(observation.title or "Page", limit=60))
        words = [f"{self.row_count:,} of {counted(len(observation.nodes), 'node')}"]
        if observation.left_out:
            words.append(f"{observation.left_out:,} left out")
        if self.filter.interactive:
            words.append("interactive only")
        if self.filter.viewport:
            words.append("viewport only")
        if self.filter.everything:
            words.append("all nodes")
        if self.filter.candidates:
            words.append("candidates only")
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

    # Rows

    def row_focused(self, row: int) -> None:
        self.post_message(self.NodeFocused(self, self._node_at(row)))
        if self._query.text:
            self.show_titles()

    def row_activated(self, row: int) -> None:
        self.post_message(self.NodeActivated(self, self._node_at(row)))

    def row_clicked(self, row: int, column: int) -> None:
        guides = guide_text(
            self._rows.depths[row], self._rows.later[row], self.glyphs, self.content_region.width
        )
        if column in (len(guides), len(guides) + 1):
            self.action_toggle_fold()

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
        elif self._query.typing:
            self._back_to_start()
        self._search_changed()
        return len(self.matches)

    def _back_to_start(self) -> None:
        """Nothing matches what is typed: show again what was shown before it."""
        cursor, top = self._search_start
        self.cursor = cursor
        self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def action_search(self) -> None:
        self._search_start = self.cursor, round(self.scroll_y)
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
        self.show_titles()
        self.refresh()
        current, total = self.search_position
        self.post_message(self.SearchChanged(self, self._query.text, current, total))

    # Link hints

    @property
    def hints(self) -> dict[int, str]:
        """Labels by node id while hints are open."""
        return dict(self._hints)

    def action_hints(self, act: bool = False) -> None:
        """Label what is interactive and in view, in the tree or on the page; with `act`, also activate it."""
        rows = [node.id for node in self.visible_nodes if node.interactive]
        pictured = [node.id for node in marked_nodes(self._observation, full_page=False)]
        ids = list(dict.fromkeys(rows + pictured))
        if not ids:
            self.notify("Nothing interactive in view: scroll, or unfold with +.", markup=False)
            return
        self.open_hints(ids, act=act)

    def open_hints(self, ids: list[int], *, act: bool = False) -> None:
        self._hints = dict(zip(ids, hint_labels(len(ids)), strict=True))
        self._hint_typed, self._hint_acts = "", act
        self._hints_changed()

    def _close_hints(self) -> None:
        if self._hints:
            self._hints, self._hint_typed = {}, ""
            self._hints_changed()

    def _hints_changed(self) -> None:
        self.show_titles()
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
                if outcome == "cancelled":
                    self._back_to_start()
                self._search_changed()

    def action_verb(self, verb: str) -> None:
        if self.node is not None:
            self.post_message(self.VerbChosen(self, self.node, verb))

    def action_copy_node(self) -> None:
        """Copy id, role and name of the node through the terminal."""
        if (node := self.node) is not None:
            text = f'{plain_text(node.id_text)}{node.role} "{plain_text(node.name, limit=2000)}"'
            self.app.copy_to_clipboard(text)
            self.notify(f"Copied {text[:60]}", markup=False)
