"""The HTML of the node under the cursor, or of the page: lines to scroll and to search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.renderings.outer_html import HtmlLines
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.lines.line import Line, wrap
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.typed_query import TypedQuery

MOST_ROWS_OF_LINE = 12
LONGEST_LINE = 20_000


class HtmlPane(RowList):
    """Set what it shows with `show`; `/` searches, `x` turns from the node to the whole page and back."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("html")]

    empty_text = "No HTML was recorded at this step."

    @dataclass
    class Turned(Message):
        """The page is wanted in place of the node, or the node again."""

        pane: HtmlPane

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self.whole_page = False
        self._shown = HtmlLines()
        self._of = ""
        self._query = TypedQuery()
        self._rows: list[str] = []
        self._wrapped_at = 0

    def on_mount(self) -> None:
        self._show_titles()

    def show(self, shown: HtmlLines, of: str) -> None:
        """`of` says which step the HTML is of."""
        same = shown == self._shown
        self._shown, self._of = shown, of
        if not same:
            self.cursor = 0
            self.scroll_to(y=0, animate=False)
            self._wrap()
        self._show_titles()

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap()

    def _wrap(self) -> None:
        """Lines that are too long go on below, as far indented as they began."""
        self._wrapped_at = self.scrollable_content_region.width
        self._rows = []
        for line in self._shown.lines:
            text = plain_text(line.lstrip(" "), limit=LONGEST_LINE)
            indent = " " * min(len(line) - len(line.lstrip(" ")), self._wrapped_at // 2)
            width = max(8, self._wrapped_at - len(indent) - 1)
            self._rows += [f"{indent}{piece}" for piece in wrap(text, width, MOST_ROWS_OF_LINE)]
        self.rows_changed()

    def row_line(self, row: int, width: int) -> Line:
        line, text, sought = Line(width), self._rows[row], self._query.text.casefold()
        at = text.casefold().find(sought) if sought else -1
        if at < 0:
            return line.add(text, self.part("row-list--row"))
        end = at + len(sought)
        line.add(text[:at], self.part("row-list--row")).add(text[at:end], self.part("row-list--match"))
        return line.add(text[end:], self.part("row-list--row"))

    # Search

    @property
    def _matches(self) -> list[int]:
        sought = self._query.text.casefold()
        return [at for at, text in enumerate(self._rows) if sought in text.casefold()] if sought else []

    def action_search(self) -> None:
        self._query.open()
        self._show_titles()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Letters of a query are no keys of anything else."""
        return bool(self._query.typing and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        """While a query is typed the keys belong to it."""
        if self._query.typing and self._query.key(event) != "ignored":
            event.stop()
            event.prevent_default()
            if matches := self._matches:
                self._go_to(next((at for at in matches if at >= self.cursor), matches[0]))
            self._show_titles()
            self.refresh()

    def action_next_match(self, step: int) -> None:
        matches = self._matches
        if not matches:
            self.notify("Nothing to go to: press / and type what to look for.", markup=False)
        elif step > 0:
            self._go_to(next((at for at in matches if at > self.cursor), matches[0]))
        else:
            self._go_to(next((at for at in reversed(matches) if at < self.cursor), matches[-1]))

    def _go_to(self, row: int) -> None:
        self.cursor = row
        self.scroll_to_row(row)

    def action_turn(self) -> None:
        """The whole page, or the node under the tree's cursor."""
        self.whole_page = not self.whole_page
        self.post_message(self.Turned(self))

    # Looks

    def _show_titles(self) -> None:
        self.border_title = Content("HTML")
        words = [self._shown.how, self._of] if self._shown.lines else []
        if self._shown.lines:
            words.append(
                f"{shown_key(self.app, 'html.turn')} {'the node' if self.whole_page else 'the page'}"
            )
        if self._query.typing or self._query.text:
            caret = "▏" if self._query.typing else ""
            found = f"{len(self._matches):,} found"
            words.append(f"/{plain_text(self._query.text, limit=40)}{caret} {found}")
        self.border_subtitle = Content(" · ".join(filter(None, words)))
