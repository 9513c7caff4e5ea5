"""A table below its column heads, of whose rows a query that is typed into it leaves some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from textual import events

from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.typed_query import TypedQuery

Row = TypeVar("Row")


class FilteredTable(RowList, Generic[Row]):
    """`/` opens the query, Enter keeps it, Escape takes it back; the border shows it.

    A subclass fills `_all` and, for each row, what words are looked for in, `_texts`; then it calls
    `_rebuild`. `_shown` are the rows that pass.
    """

    fixed_lines = 1
    nothing_text = empty_text = "Nothing here yet."
    """What stands in a table without any row."""
    no_match_text = "Nothing matches the filter."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._all: list[Row] = []
        self._texts: list[str] = []
        self._shown: list[Row] = []
        self._query = TypedQuery()

    def on_mount(self) -> None:
        self._show_titles()

    # What a subclass gives

    def _show_titles(self) -> None:
        """Say in the border what is shown."""
        raise NotImplementedError

    def passes(self, row: Row, text: str, words: Sequence[str]) -> bool:  # noqa: ARG002
        """Whether a row is shown, by the text that belongs to it and the typed words."""
        return all(word in text for word in words)

    def is_same(self, row: Row, other: Row) -> bool:
        """Whether the cursor goes from one to the other when the rows are made anew."""
        return row is other

    def put_in_order(self, rows: list[Row]) -> None:
        """Bring the rows that pass into their order, in place."""

    def came_to(self, row: Row | None) -> None:
        """The rows were made anew, and the cursor stands on this one; None where there is none."""

    # Rows

    @property
    def row_count(self) -> int:
        return len(self._shown)

    @property
    def _here(self) -> Row | None:
        """The row under the cursor."""
        return self._shown[self.cursor] if 0 <= self.cursor < len(self._shown) else None

    @property
    def filtered(self) -> bool:
        """Whether some rows may be hidden."""
        return bool(self._query.text)

    def set_filter(self, query: str) -> None:
        """Keep the rows that hold every word of the query; case does not matter."""
        self._query.text = query
        self._rebuild()

    def _rebuild(self) -> None:
        """Find the rows to show; the cursor stays on its row where that is still shown."""
        here = self._here
        words = self._query.text.casefold().split()
        rows = zip(self._all, self._texts, strict=True)
        self._shown = [row for row, text in rows if self.passes(row, text, words)]
        self.put_in_order(self._shown)
        self.empty_text = self.no_match_text if self._all else self.nothing_text
        self.cursor = 0 if here is None else self._place_of(here)
        self.rows_changed()
        self._show_titles()
        if self.is_mounted:
            self.came_to(self._here)

    def _place_of(self, row: Row) -> int:
        """Where a row stands now; 0 where it is no longer shown."""
        return next((at for at, one in enumerate(self._shown) if self.is_same(one, row)), 0)

    # Looks

    def _count_words(self, noun: str) -> str:
        """How many rows there are, or how many of them are shown."""
        count = len(self._all)
        return f"{len(self._shown):,} of {count:,}" if self.filtered else counted(count, noun)

    def _query_words(self) -> list[str]:
        """The query with its caret; nothing where none is typed."""
        if not (self._query.typing or self._query.text):
            return []
        caret = "▏" if self._query.typing else ""
        return [f"/{plain_text(self._query.text, limit=60)}{caret}"]

    # Keys

    def action_filter(self) -> None:
        self._query.open()
        self.set_filter("")

    def action_clear_filter(self) -> None:
        self.set_filter("")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Escape is the screen's while there is no filter to clear."""
        return self.filtered if action == "clear_filter" else True

    def check_consume_key(self, key: str, character: str | None) -> bool:  # noqa: ARG002
        """Letters belong to the query while it is typed."""
        return bool(self._query.typing and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        if not self._query.typing or event.key in ("down", "up", "pagedown", "pageup"):
            return
        if self._query.key(event) != "ignored":
            event.stop()
            event.prevent_default()
            self.set_filter(self._query.text)
