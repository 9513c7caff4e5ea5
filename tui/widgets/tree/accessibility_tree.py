"""The page as its accessibility tree: fold, search, filter, link hints, and a verb for every letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from webbench.core.analysis.recorded.landmarks import (
    LANDMARKS,
    Arrival,
    arrival,
    changed_nodes,
    is_other_page,
)
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.typed_query import TypedQuery
from webbench.tui.widgets.picture.marks import marked_nodes
from webbench.tui.widgets.tree.foldable_rows import FoldableRows
from webbench.tui.widgets.tree.link_hints import LinkHints
from webbench.tui.widgets.tree.outline import NodeFilter
from webbench.tui.widgets.tree.tree_row import guide_text, node_line

PARTS = (
    *("guide", "id", "hint", "name", "offscreen", "value", "state", "warning", "focus", "link", "button"),
    *("field", "choice", "heading", "image", "text", "landmark", "alert", "other"),
)


class AccessibilityTree(RowList):
    """Shows an Observation. Cursor, folds, filter and scroll position survive the next one of the same page.

    On another page the cursor goes to what is new there, and what stands around it as before is folded.
    Set `observation`; read `node` for the row under the cursor.
    """

    follows_pages: ClassVar[bool] = True
    """Whether another page moves the cursor and folds."""

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
        """Enter or double click: do the natural thing for the node's role.

        `at_once` where what needs no value needs no look at the action before it is sent.
        """

        tree: AccessibilityTree
        node: AccessibilityNode
        at_once: bool = False

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
        self._folding = FoldableRows()
        self._query = TypedQuery()
        self._matches: list[int] | None = None
        self._search_start = (0, 0)
        self._hints = LinkHints()
        self._ranks: dict[int, int] = {}
        self._earlier = Observation(), Observation()
        self._opened: set[tuple[str, str]] = set()

    def on_mount(self) -> None:
        self.show_titles()

    # Data

    @property
    def observation(self) -> Observation:
        return self._folding.observation

    @observation.setter
    def observation(self, observation: Observation) -> None:
        before = self._folding.observation
        if before.nodes:
            self._earlier = before, self._earlier[0]
        arrived: Arrival | None = None
        if self.follows_pages and is_other_page(before, observation):
            arrived = arrival(before, observation)
        anchor = None if arrived and before.nodes else self._folding.lasting(self.cursor, observation)
        if arrived and anchor is None:
            anchor = arrived.node
        screen_line = self.cursor - round(self.scroll_y) if self.row_count and not arrived else None
        self._folding.show(observation, fold=self._around(observation, arrived) if arrived else ())
        self._ranks = {candidate.node: rank for rank, candidate in enumerate(observation.candidates, 1)}
        self._show_other_rows(anchor, screen_line)
        if arrived and self.is_attached:
            self.scroll_to(y=max(0, self.cursor - 1), animate=False, force=True, immediate=True)

    def _around(self, observation: Observation, arrived: Arrival) -> list[int]:
        """What stands around the content as before, but for what was unfolded by hand."""
        unchanged = (node for node in observation.nodes if node.id in arrived.unchanged)
        return [node.id for node in unchanged if (node.role, node.name) not in self._opened]

    @property
    def filter(self) -> NodeFilter:
        return self._folding.filter

    @property
    def node(self) -> AccessibilityNode | None:
        """The node under the cursor."""
        return self._folding.node(self.cursor) if 0 <= self.cursor < self.row_count else None

    @property
    def row_count(self) -> int:
        return len(self._folding)

    @property
    def folded(self) -> frozenset[int]:
        """Ids of folded nodes."""
        return frozenset(self._folding.folded)

    @property
    def visible_nodes(self) -> list[AccessibilityNode]:
        """The nodes in view now, from top to bottom."""
        top = round(self.scroll_y)
        rows = range(top, min(self.row_count, top + self.page_height))
        return [self._folding.node(row) for row in rows]

    def _show_other_rows(self, anchor: int | None, screen_line: int | None) -> None:
        """Matches and hints were of the rows before."""
        hinted = bool(self._hints.labels)
        self._matches = None
        self._hints.close()
        self._place_cursor(anchor, screen_line)
        if hinted:
            self.post_message(self.HintsChanged(self, {}))

    def _place_cursor(self, anchor: int | None, screen_line: int | None = None) -> None:
        """The rows are others: put the cursor on the anchor (or its nearest shown ancestor)."""
        row = self._folding.row_of(anchor)
        if not self.is_attached:
            self.set_reactive(AccessibilityTree.cursor, row)
            return
        self.virtual_size = Size(1, self.row_count)
        moved = row != self.cursor
        if screen_line is not None:
            self.scroll_to(y=max(0, row - screen_line), animate=False, force=True, immediate=True)
        self.cursor = row
        self.show_titles()
        self.refresh()
        if not moved and self.row_count and self.is_mounted:
            self.row_focused(self.cursor)

    # Looks

    def row_line(self, row: int, width: int) -> Line:
        rows, glyphs = self._folding.rows, self.glyphs
        node = self._folding.node(row)
        fold = glyphs.leaf
        if self._folding.is_folded(row):
            fold = glyphs.folded
        elif rows.has_children(row):
            fold = glyphs.unfolded
        return node_line(
            node,
            width,
            guides=guide_text(rows.depths[row], rows.later[row], glyphs, width),
            fold=fold,
            hint=self._hints.label(node.id),
            rank=self._ranks.get(node.id, 0),
            query=self._query.text,
            glyphs=glyphs,
            part=self.part,
        )

    def show_titles(self) -> None:
        observation = self.observation
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
        if self._hints.labels:
            words.append(f"hint: {self._hints.typed}▏")
        if self._query.typing or self._query.text:
            words.append(self._query_words())
        if observation.condition != "ok":
            words.insert(0, plain_text(observation.problem or observation.condition, limit=80))
        elif observation.changing:
            words.insert(0, "still changing")
        self.border_subtitle = Content(" · ".join(words))

    def _query_words(self) -> str:
        current, total = self.search_position
        caret = "▏" if self._query.typing else ""
        found = f"{current} of {total}" if total else "no match"
        return f"/{plain_text(self._query.text, limit=40)}{caret} {found}"

    # Rows

    def row_focused(self, row: int) -> None:
        self.post_message(self.NodeFocused(self, self._folding.node(row)))
        if self._query.text:
            self.show_titles()

    def row_activated(self, row: int) -> None:
        self.post_message(self.NodeActivated(self, self._folding.node(row)))

    def row_clicked(self, row: int, column: int) -> None:
        rows = self._folding.rows
        guides = guide_text(rows.depths[row], rows.later[row], self.glyphs, self.content_region.width)
        if column in (len(guides), len(guides) + 1):
            self.action_toggle_fold()

    # Search

    @property
    def matches(self) -> list[int]:
        """Positions of the nodes that match the query, folded ones too."""
        if self._matches is None:
            self._matches = self._folding.matches(self._query.text)
        return self._matches

    @property
    def search_position(self) -> tuple[int, int]:
        """Which match the cursor is on (from 1, 0 for none) and how many there are."""
        matches = self.matches
        index = self._folding.rows.indices[self.cursor] if self.row_count else -1
        return (matches.index(index) + 1 if index in matches else 0), len(matches)

    def search(self, query: str) -> int:
        """Look for a text and go to the first match at or after the cursor; gives the number found."""
        self._query.text = query
        self._matches = None
        if self.matches:
            here = self._folding.rows.indices[self.cursor] if self.row_count else 0
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
        here = self._folding.rows.indices[self.cursor] if self.row_count else -1
        if step > 0:
            target = next((at for at in matches if at > here), matches[0])
        else:
            target = next((at for at in reversed(matches) if at < here), matches[-1])
        self._go_to_match(target)
        self._search_changed()

    def _go_to_match(self, index: int) -> None:
        self.focus_id(self._folding.outline.nodes[index].id)

    def _search_changed(self) -> None:
        self.show_titles()
        self.refresh()
        current, total = self.search_position
        self.post_message(self.SearchChanged(self, self._query.text, current, total))

    # Link hints

    @property
    def hints(self) -> dict[int, str]:
        """Labels by node id while hints are open."""
        return dict(self._hints.labels)

    def action_hints(self, act: bool = False) -> None:
        """Label what is interactive and in view, in the tree or on the page; with `act`, also activate it.

        The labels begin at the cursor: where there are more than letters, what follows it needs one.
        """
        rows = [node.id for node in self.visible_nodes if node.interactive]
        pictured = [node.id for node in marked_nodes(self.observation, full_page=False)]
        position, cursor = self._folding.outline.position, self.node
        here = position[cursor.id] if cursor is not None else 0
        ids = sorted({*rows, *pictured}, key=lambda one: (position[one] < here, position[one]))
        if not ids:
            self.notify("Nothing interactive in view: scroll, or unfold with +.", markup=False)
            return
        self._hints.open(ids, act=act)
        self._hints_changed()

    def _hints_changed(self) -> None:
        self.show_titles()
        self.refresh()
        self.post_message(self.HintsChanged(self, self.hints))

    def _hint_key(self, event: events.Key) -> None:
        chosen = self._hints.take(event.character or "" if event.is_printable else "")
        self._hints_changed()
        if chosen is not None:
            self.focus_id(chosen)
            if self._hints.act:
                self.action_activate_at_once()

    # Cursor and folds

    def focus_id(self, id: int) -> bool:
        """Put the cursor on a node, unfolding and, if need be, unfiltering; False if it is not there."""
        if not self._folding.reveal(id):
            return False
        self._place_cursor(id)
        self.scroll_to_row(self.cursor, centre=True)
        return True

    def action_to_focused(self) -> None:
        focused = self.observation.focused
        if focused is None or not self.focus_id(focused):
            self.notify("Nothing on the page has the focus.", markup=False)

    def interactive_row(self, row: int, step: int) -> int:
        """The next row below (or above) that can be acted on; the same row where there is none."""
        rows = range(row + 1, self.row_count) if step > 0 else range(row - 1, -1, -1)
        return next((one for one in rows if self._folding.node(one).interactive), row)

    def action_interactive_row(self, step: int) -> None:
        self.cursor = self.interactive_row(self.cursor, step)

    def action_landmark(self, step: int) -> None:
        """The next landmark that has a row, folded or not; behind the last comes the first."""
        self._go_round(
            [node.id for node in self.observation.nodes if node.role in LANDMARKS], step, "landmark"
        )

    def action_change(self, step: int) -> None:
        """The next node that came or changed since the page before, which is unfolded."""
        self._go_round(self.changes, step, "change")

    @property
    def changes(self) -> Sequence[int]:
        """Ids of what came or changed; a page that was only read again has what had changed before that."""
        before, before_that = self._earlier
        return changed_nodes(before, self.observation) or changed_nodes(before_that, self.observation)

    def _go_round(self, ids: Sequence[int], step: int, name: str) -> None:
        found = [self._folding.outline.position[one] for one in ids]
        kept = (self._folding.kept_in(one) for one in found)
        places = sorted({place for place in kept if place is not None})
        if not places:
            told = f"The filter hides every {name} here." if found else f"The page has no {name}."
            self.notify(told, markup=False)
            return
        here = self._folding.rows.indices[self.cursor] if self.row_count else -1
        onward = [place for place in places if (place > here if step > 0 else place < here)] or places
        self._go_to_match(onward[0 if step > 0 else -1])

    def action_unfold(self) -> None:
        node = self.node
        if node is None:
            return
        if node.id in self._folding.folded:
            self._opened.add((node.role, node.name))
            self._folding.unfold(node.id)
            self._place_cursor(node.id)
        elif self._folding.rows.has_children(self.cursor):
            self.cursor += 1

    def action_fold(self) -> None:
        node, rows = self.node, self._folding.rows
        if node is None:
            return
        if node.id not in self._folding.folded and rows.has_children(self.cursor):
            self._folding.fold(node.id)
            self._place_cursor(node.id)
        elif (parent := rows.parent(self.cursor)) >= 0:
            self.cursor = parent

    def action_toggle_fold(self) -> None:
        node = self.node
        if node is not None and node.id in self._folding.folded:
            self.action_unfold()
        elif node is not None and self._folding.rows.has_children(self.cursor):
            self.action_fold()

    def action_fold_all(self) -> None:
        """Fold everything below the top rows."""
        anchor = self.node.id if self.node else None
        self._folding.fold_all()
        self._place_cursor(anchor)

    def action_unfold_all(self) -> None:
        anchor = self.node.id if self.node else None
        self._folding.unfold_all()
        self._place_cursor(anchor)

    # Filter

    def set_filter(self, **parts: bool) -> None:
        """Change the given parts of the filter; the cursor stays on its node or the nearest above."""
        changed = replace(self.filter, **parts)
        if changed == self.filter:
            return
        anchor = self.node.id if self.node else None
        line = self.cursor - round(self.scroll_y)
        self._folding.choose(changed)
        self._show_other_rows(anchor, line)
        self.post_message(self.FilterChanged(self, changed))

    def action_toggle_filter(self, name: str) -> None:
        self.set_filter(**{name: not getattr(self.filter, name)})

    # Keys

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """While a query or a hint is typed, letters belong to it."""
        return bool((self._query.typing or self._hints.labels) and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        if self._hints.labels:
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

    def action_activate_at_once(self) -> None:
        if self.node is not None:
            self.post_message(self.NodeActivated(self, self.node, at_once=True))

    def action_verb(self, verb: str) -> None:
        if self.node is not None:
            self.post_message(self.VerbChosen(self, self.node, verb))

    def action_copy_node(self) -> None:
        """Copy id, role and name of the node through the terminal."""
        if (node := self.node) is not None:
            text = f'{plain_text(node.id_text)}{node.role} "{plain_text(node.name, limit=2000)}"'
            self.app.copy_to_clipboard(text)
            self.notify(f"Copied {text[:60]}", markup=False)
