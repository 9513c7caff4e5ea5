"""A table of records: columns that fit the width, a filter as one types, marks with space."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from rich.cells import cell_len
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line, fitted
from webbench.tui.widgets.lists.filtered_table import FilteredTable

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class RecordColumn(Generic[Record]):
    """`width` in cells, 0 shares what is left; columns of low `rank` go first where room is short.

    `least` is what a sharing column needs to be worth its place.
    """

    title: str
    text: Callable[[Record], str]
    width: int
    rank: int = 9
    right: bool = False
    least: int = 12


Columns = tuple[RecordColumn[Record], ...]


class RecordTable(FilteredTable[Record], Generic[Record]):
    """Set `records`. A mark stays with its record's key, also while a filter hides it.

    Args:
        columns: what is shown of a record; the filter looks for its words in all of them.
        key: what tells records apart.
        noun: what a record is called in the border.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "record-table--head",
        "record-table--mark",
        "record-table--bad",
        "record-table--good",
    }

    DEFAULT_CSS = """
    RecordTable {
        & > .record-table--head { color: $foreground-muted; background: $panel; text-style: bold; }
        & > .record-table--mark { color: $text-accent; text-style: bold; }
        & > .record-table--bad { color: $text-error; }
        & > .record-table--good { color: $text-success; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("records")]

    @dataclass
    class Focused(Message):
        """The cursor came to rest on a record."""

        table: RecordTable[Any]

        @property
        def control(self) -> RecordTable[Any]:
            return self.table

    @dataclass
    class Activated(Message):
        """Enter, or a double click, on the record under the cursor."""

        table: RecordTable[Any]

        @property
        def control(self) -> RecordTable[Any]:
            return self.table

    @dataclass
    class MarksChanged(Message):
        table: RecordTable[Any]

    def __init__(
        self,
        columns: Sequence[RecordColumn[Record]],
        key: Callable[[Record], str],
        noun: str,
        **names: Any,
    ) -> None:
        super().__init__(**names)
        self._columns = self._all_columns = tuple(columns)
        self._key = key
        self._noun = noun
        self._heading = noun.title() + "s"
        self._marked: dict[str, Record] = {}

    # Data

    @property
    def records(self) -> tuple[Record, ...]:
        """What passes the filter, in order."""
        return tuple(self._shown)

    @records.setter
    def records(self, records: Iterable[Record]) -> None:
        self._all = list(records)
        self._columns = self.columns_for(self._all_columns)
        self._texts = [self._searched(one) for one in self._all]
        self._rebuild()

    def _searched(self, record: Record) -> str:
        """What the filter looks into: a line for each column, its title before it."""
        lines = (f"{column.title}:{column.text(record)}" for column in self._columns)
        return "\n".join((*lines, " ".join(column.text(record) for column in self._columns))).casefold()

    def columns_for(self, columns: Columns[Record]) -> Columns[Record]:
        """Those of the columns that have something to say of `all_records`."""
        return columns

    @property
    def all_records(self) -> tuple[Record, ...]:
        """Also what the filter hides."""
        return tuple(self._all)

    @property
    def record(self) -> Record | None:
        """The one under the cursor."""
        return self._here

    @property
    def marked(self) -> tuple[Record, ...]:
        """In the order in which they were marked."""
        return tuple(self._marked.values())

    @property
    def chosen(self) -> tuple[Record, ...]:
        """The marked ones, or the one under the cursor where none is marked."""
        here = self.record
        return self.marked or (() if here is None else (here,))

    def go_to(self, key: str) -> None:
        """Put the cursor on a record, where it is shown."""
        at = next((at for at, one in enumerate(self._shown) if self._key(one) == key), None)
        if at is not None:
            self.cursor = at

    def passes(self, row: Record, text: str, words: Sequence[str]) -> bool:  # noqa: ARG002
        """Where it holds every word of the query, "agent:gpt" in that column."""
        return all(_holds(text, word) for word in words)

    def is_same(self, row: Record, other: Record) -> bool:
        return self._key(row) == self._key(other)

    def came_to(self, row: Record | None) -> None:  # noqa: ARG002
        self.post_message(self.Focused(self))

    # Looks

    def say(self, heading: str) -> None:
        """Another title of the table."""
        self._heading = heading
        self._show_titles()

    def _show_titles(self) -> None:
        self.border_title = Content(plain_text(self._heading, limit=100))
        marked = [f"{len(self._marked)} marked"] if self._marked else []
        words = [self._count_words(self._noun), *marked, *self._query_words()]
        self.border_subtitle = Content(" · ".join(words))

    def _layout(self, width: int) -> list[tuple[RecordColumn[Record], int]]:
        """Columns with the cells they get; the least important are left out where room is short."""
        shown = list(self._columns)
        while len(shown) > 1 and sum((one.width or one.least) + 1 for one in shown) > width - 2:
            shown.remove(min(shown, key=lambda one: one.rank))
        flexible = sum(not one.width for one in shown)
        rest = width - 2 - len(shown) - sum(one.width for one in shown)
        sizes = []
        for column in shown:
            share = 0 if column.width else max(4, rest // flexible)
            if share:
                rest, flexible = rest - share, flexible - 1
            sizes.append((column, column.width or share))
        return sizes

    def fixed_line(self, line: int, width: int) -> Strip:  # noqa: ARG002
        head = Line(width).add("  ", self.part("record-table--head"))
        for column, size in self._layout(width):
            head.add(fitted(column.title, size, column.right) + " ", self.part("record-table--head"))
        return head.strip(self.part("record-table--head"))

    def row_line(self, row: int, width: int) -> Line:
        record = self._shown[row]
        marked = self._key(record) in self._marked
        sign = self.glyphs.selected if marked else " "
        line = Line(width).add(sign + " " * (2 - cell_len(sign)), self.part("record-table--mark"))
        for number, (column, size) in enumerate(self._layout(width)):
            text = fitted(plain_text(column.text(record), limit=300), size, column.right)
            line.add(text, self.part(self.part_of(record, column, number))).add(" ")
        return line

    def part_of(self, record: Record, column: RecordColumn[Record], number: int) -> str:  # noqa: ARG002
        """Component class of a cell."""
        return "row-list--row" if number == 0 or column.right else "row-list--muted"

    # Keys

    def row_focused(self, row: int) -> None:  # noqa: ARG002
        self.post_message(self.Focused(self))

    def row_activated(self, row: int) -> None:  # noqa: ARG002
        self.post_message(self.Activated(self))

    def action_mark(self) -> None:
        """Mark the record, or take its mark away, and go on to the next."""
        record = self.record
        if record is None:
            return
        key = self._key(record)
        if self._marked.pop(key, None) is None:
            self._marked[key] = record
        self.refresh_row(self.cursor)
        self.action_move(1)
        self._show_titles()
        self.post_message(self.MarksChanged(self))

    def action_clear_marks(self) -> None:
        self._marked.clear()
        self.refresh()
        self._show_titles()
        self.post_message(self.MarksChanged(self))


def _holds(text: str, word: str) -> bool:
    """Whether the word is in any column, or what follows its colon is in the column that it names."""
    *columns, all_of_them = text.split("\n")
    name, colon, value = word.partition(":")
    return word in all_of_them or (
        bool(colon) and any(one.startswith(f"{name}:") and value in one[len(name) + 1 :] for one in columns)
    )
