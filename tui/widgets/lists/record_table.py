"""A table of records: columns that fit the width, a filter as one types, sorting, marks with space."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import display_width, plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line, fitted, shorten, shorten_middle
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.typed_query import TypedQuery

Record = TypeVar("Record")

ALWAYS = 9
"""Rank of the columns that stay however little room there is."""


@dataclass(frozen=True, slots=True)
class RecordColumn(Generic[Record]):
    """`width` in cells, 0 shares what is left; columns of low `rank` go first where room is short.

    A sharing column is worth its place from `least` cells on, or where its longest text fits. A text that is
    too long is cut in the `middle` where beginning and end tell things apart.
    """

    title: str
    text: Callable[[Record], str]
    width: int
    rank: int = ALWAYS
    right: bool = False
    least: int = 12
    middle: bool = False


Columns = tuple[RecordColumn[Record], ...]


class RecordTable(RowList, Generic[Record]):
    """Set `records`. `/` opens the filter, Enter opens what it found, Tab keeps it, Escape takes it back.

    A mark stays with its record's key, also while a filter hides it.

    Args:
        columns: what is shown of a record; the filter looks for its words in all of them.
        key: what tells records apart.
        noun: what a record is called in the border.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "record-table--head",
        "record-table--head-sorted",
        "record-table--mark",
        "record-table--bad",
        "record-table--good",
    }

    DEFAULT_CSS = """
    RecordTable {
        & > .record-table--head { color: $foreground-muted; background: $panel; text-style: bold; }
        & > .record-table--head-sorted { color: $text-accent; background: $panel; text-style: bold; }
        & > .record-table--mark { color: $text-accent; text-style: bold; }
        & > .record-table--bad { color: $text-error; }
        & > .record-table--good { color: $text-success; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("records")]

    fixed_lines = 1
    nothing_text = empty_text = "Nothing here yet."
    """What stands in a table without any record."""
    no_match_text = "Nothing matches the filter."
    keeps_marks = True
    """Whether a record that is not among new ones stays marked."""

    @dataclass
    class Focused(Message):
        """The cursor came to rest on a record, or the records were made anew."""

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

    def __init__(
        self,
        columns: Sequence[RecordColumn[Record]],
        key: Callable[[Record], Hashable],
        noun: str,
        **names: Any,
    ) -> None:
        super().__init__(**names)
        self._columns = self._all_columns = tuple(columns)
        self._key = key
        self._noun = noun
        self._heading = noun.title() + "s"
        self._all: list[Record] = []
        self._texts: list[str] = []
        self._needs: dict[str, int] = {}
        """Cells that the longest text of a sharing column takes, by its title."""
        self._layouts: dict[int, list[tuple[RecordColumn[Record], int]]] = {}
        self._shown: list[Record] = []
        self._query = TypedQuery()
        self._sorted = ""
        """Title of the column by which records are sorted, "" for the order in which they came."""
        self._descending = False
        self._marked: dict[Hashable, Record] = {}

    def on_mount(self) -> None:
        self._show_titles()

    # What a subclass may change

    def records_changed(self) -> None:
        """There are new records; they are not filtered yet."""

    def columns_for(self, columns: Columns[Record]) -> Columns[Record]:
        """Those of the columns that have something to say of `all_records`."""
        return columns

    def searched(self, record: Record) -> str:
        """What the words of the filter are looked for in, in lower case."""
        return " ".join(column.text(record) for column in self._columns).casefold()

    def passes(self, record: Record, text: str, words: Sequence[str]) -> bool:
        """Whether a record is shown: each word is in its text, or as "agent:gpt" in the column it names."""
        return all(word in text or (":" in word and self._says(record, word)) for word in words)

    def told(self) -> list[str]:
        """What the border says of the records before the marks and the filter."""
        count = len(self._all)
        return [f"{len(self._shown):,} of {count:,}" if self.filtered else counted(count, self._noun)]

    @property
    def indent(self) -> int:
        """Cells before the first column, for the sign."""
        return 2

    def sign(self, record: Record) -> tuple[str, str]:
        """What stands before a record, and its component class."""
        return (self.glyphs.selected if self._key(record) in self._marked else "", "record-table--mark")

    def part_of(self, record: Record, column: RecordColumn[Record], number: int) -> str:
        """Component class of a cell."""
        return "row-list--row" if number == 0 or column.right else "row-list--muted"

    # Data

    @property
    def records(self) -> tuple[Record, ...]:
        """What passes the filter, in order."""
        return tuple(self._shown)

    @records.setter
    def records(self, records: Iterable[Record]) -> None:
        self._all = list(records)
        if self._marked:
            here = {self._key(one): one for one in self._all}
            self._marked = {
                key: here.get(key, one)
                for key, one in self._marked.items()
                if key in here or self.keeps_marks
            }
        self.records_changed()
        self.columns_changed()
        self._texts = [self.searched(one) for one in self._all]
        self.rebuild()

    def columns_changed(self) -> None:
        """What the columns say of the records is new, too."""
        self._columns = self.columns_for(self._all_columns)
        self._needs = {
            column.title: max(map(display_width, [column.title, *map(column.text, self._all)]))
            for column in self._columns
            if not column.width
        }
        self._layouts.clear()

    @property
    def all_records(self) -> tuple[Record, ...]:
        """Also what the filter hides."""
        return tuple(self._all)

    @property
    def record(self) -> Record | None:
        """The one under the cursor."""
        return self._shown[self.cursor] if 0 <= self.cursor < len(self._shown) else None

    @property
    def marked(self) -> tuple[Record, ...]:
        """In the order in which they were marked."""
        return tuple(self._marked.values())

    @property
    def chosen(self) -> tuple[Record, ...]:
        """The marked ones, or the one under the cursor where none is marked."""
        here = self.record
        return self.marked or (() if here is None else (here,))

    def go_to(self, key: Hashable) -> None:
        """Put the cursor on a record, where it is shown."""
        self.cursor = self._place_of(key, self.cursor)

    def _place_of(self, key: Hashable, otherwise: int) -> int:
        return next((at for at, one in enumerate(self._shown) if self._key(one) == key), otherwise)

    @property
    def row_count(self) -> int:
        return len(self._shown)

    # Filter and order

    @property
    def filtered(self) -> bool:
        """Whether some records may be hidden."""
        return bool(self._query.text)

    def set_filter(self, query: str) -> None:
        """Keep the records that hold every word of the query; case does not matter."""
        self._query.text = query
        self.rebuild()

    def rebuild(self) -> None:
        """Find the records to show; the cursor stays on its record where that is still shown."""
        here = self.record
        self._shown = self._passing() if self.filtered else list(self._all)
        self._put_in_order()
        self.empty_text = self.no_match_text if self._all else self.nothing_text
        self.cursor = 0 if here is None else self._place_of(self._key(here), 0)
        self.rows_changed()
        self._show_titles()
        if self.is_mounted:
            self.scroll_to_row(self.cursor)
            self.post_message(self.Focused(self))

    def _passing(self) -> list[Record]:
        words = self._query.text.casefold().split()
        texts = zip(self._all, self._texts, strict=True)
        return [one for one, text in texts if self.passes(one, text, words)]

    def _says(self, record: Record, word: str) -> bool:
        """Whether what follows the colon is in the column that stands before it."""
        title, _, value = word.partition(":")
        columns = (one for one in self._columns if one.title.casefold() == title)
        return any(value in column.text(record).casefold() for column in columns)

    def _put_in_order(self) -> None:
        """By the sorted column; where it says nothing a record comes last, whatever the direction."""
        for column in self._columns:
            if column.title == self._sorted:
                text = column.text
                self._shown.sort(key=lambda one: natural(text(one)), reverse=self._descending)
                self._shown.sort(key=lambda one: text(one) in ("", NO_VALUE))

    # Looks

    def say(self, heading: str) -> None:
        """Another title of the table."""
        self._heading = heading
        self._show_titles()

    def _show_titles(self) -> None:
        self.border_title = Content(plain_text(self._heading, limit=100))
        words = self.told()
        if self._marked:
            words.append(f"{len(self._marked):,} marked")
        if self._query.typing or self._query.text:
            words.append(f"/{plain_text(self._query.text, limit=60)}{'▏' if self._query.typing else ''}")
        if self._query.typing and self._query.text:
            words.append("Tab keeps it")
        self.border_subtitle = Content(" · ".join(words))

    def layout_of(self, width: int) -> list[tuple[RecordColumn[Record], int]]:
        """The columns that are shown with the cells they get, of so many."""
        return fitting(self._columns, self._needs, width)

    def _laid_out(self, width: int) -> list[tuple[RecordColumn[Record], int]]:
        """What every row of a picture needs, found once."""
        if width not in self._layouts:
            self._layouts[width] = self.layout_of(width)
        return self._layouts[width]

    def fixed_line(self, line: int, width: int) -> Strip:
        style = self.part("record-table--head")
        head = Line(width).add(" " * self.indent, style)
        for column, size in self._laid_out(width - self.indent):
            is_sorted = column.title == self._sorted
            arrow = (self.glyphs.descending if self._descending else self.glyphs.ascending) * is_sorted
            title = shorten(column.title, size - display_width(arrow)) + arrow
            part = self.part("record-table--head-sorted") if is_sorted else style
            head.add(fitted(title, size, column.right) + " ", part)
        return head.strip(style)

    def row_line(self, row: int, width: int) -> Line:
        record = self._shown[row]
        sign, part = self.sign(record)
        line = Line(width).add(fitted(sign, self.indent, False), self.part(part))
        for number, (column, size) in enumerate(self._laid_out(width - self.indent)):
            text = plain_text(column.text(record), limit=300)
            text = fitted(shorten_middle(text, size) if column.middle else text, size, column.right)
            line.add(text, self.part(self.part_of(record, column, number))).add(" ")
        return line

    # Keys

    def row_focused(self, row: int) -> None:
        self.post_message(self.Focused(self))

    def row_activated(self, row: int) -> None:
        self.post_message(self.Activated(self))

    def action_filter(self) -> None:
        self._query.open()
        self.set_filter("")

    def action_clear_filter(self) -> None:
        self.set_filter("")

    def action_sort(self) -> None:
        """By the next column, and after the last in the order in which the records came."""
        titles = ["", *(column.title for column in self._columns)]
        at = titles.index(self._sorted) if self._sorted in titles else 0
        self._sorted = titles[(at + 1) % len(titles)]
        self.rebuild()

    def action_reverse(self) -> None:
        self._descending = not self._descending
        self.rebuild()

    def action_mark(self) -> None:
        """Mark the record, or take its mark away, and go on to the next."""
        record = self.record
        if record is None:
            return
        key = self._key(record)
        if self._marked.pop(key, None) is None:
            self._marked[key] = record
        self._marks_changed()
        self.action_move(1)

    def mark(self, keys: Iterable[Hashable]) -> None:
        """Mark these of the shown records, and no other."""
        wanted = set(keys)
        self._marked = {self._key(one): one for one in self.records if self._key(one) in wanted}
        self._marks_changed()

    def action_clear_marks(self) -> None:
        self._marked.clear()
        self._marks_changed()

    def _marks_changed(self) -> None:
        self.refresh()
        self._show_titles()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is the screen's while there is no filter to clear."""
        return self.filtered if action == "clear_filter" else True

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Letters belong to the query while it is typed."""
        return bool(self._query.typing and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        if not self._query.typing or event.key in ("down", "up", "pagedown", "pageup"):
            return
        if event.key == "tab":
            self._query.typing = False
        elif (outcome := self._query.key(event)) == "ignored":
            return
        elif outcome != "done":
            self.set_filter(self._query.text)
        event.stop()
        event.prevent_default()
        self._show_titles()
        if event.key == "enter":
            self.action_activate()


def fitting(
    columns: Columns[Record], needs: Mapping[str, int], width: int
) -> list[tuple[RecordColumn[Record], int]]:
    """Columns with the cells they get; the least important are left out where room is short.

    No sharing column gets more than it needs while another lacks room; what nobody needs is the last one's.
    """
    wanted = {one.title: one.width or needs.get(one.title, one.least) for one in columns}
    sizes = {one.title: one.width or min(one.least, wanted[one.title]) for one in columns}
    shown = list(columns)
    rest = width - sum(size + 1 for size in sizes.values())
    for column in sorted(columns, key=lambda one: one.rank):
        if rest < 0 and column.rank < ALWAYS:
            shown.remove(column)
            rest += sizes[column.title] + 1
    sharing = [one.title for one in shown if not one.width]
    lacking = sorted(sharing, key=lambda title: wanted[title] - sizes[title])
    for place, title in enumerate(lacking):
        more = min(wanted[title] - sizes[title], rest // (len(lacking) - place))
        sizes[title] = max(4, sizes[title] + more)
        rest -= more
    if sharing:
        sizes[sharing[-1]] += max(0, rest)
    return [(one, sizes[one.title]) for one in shown]


def natural(text: str) -> tuple[bool, float, str]:
    """Numbers before words, and by their size."""
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        number = float("nan")
    return (False, number, "") if isfinite(number) else (True, 0.0, text.casefold())
