"""All tasks of a benchmark as a table: filter while typing, sort by column, thousands of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from webbench.core.engine.process.catalogue_messages import TaskResults
from webbench.core.task import TaskEntry
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.screens.library.row_filter import TaskFilter, search_text
from webbench.tui.widgets.lines.line import Line, fitted
from webbench.tui.widgets.lists.filtered_table import FilteredTable
from webbench.tui.widgets.score.figures_so_far import result_text

NO_RESULTS = TaskResults()


@dataclass(frozen=True, slots=True)
class Column:
    """`width` in cells, 0 takes what is left; columns of low `rank` go first where room is short."""

    title: str
    text: Callable[[TaskEntry, TaskResults], str]
    width: int
    rank: int = 9
    right: bool = False


COLUMNS: tuple[Column, ...] = (
    Column("Task", lambda entry, _: entry.name, 30),
    Column("Intent", lambda entry, _: entry.intent, 0),
    Column("Site", lambda entry, _: entry.site, 12, 3),
    Column("Type", lambda entry, _: entry.kind, 12, 4),
    Column("Template", lambda entry, _: "" if entry.template == entry.name else entry.template, 12, 1),
    Column("Split", lambda entry, _: entry.split, 10, 2),
    Column(
        "Inst.", lambda entry, _: "" if entry.instances is None else f"{entry.instances:,}", 6, 5, right=True
    ),
    Column("Human", lambda _, results: result_text(results.best_human), 7, 6, right=True),
    Column("Agent", lambda _, results: result_text(results.best_agent), 7, 7, right=True),
    Column("Last", lambda _, results: result_text(results.last), 7, 8, right=True),
)
INTENT_WIDTH = 30


class TaskTable(FilteredTable[TaskEntry]):
    """Set `rows`. `/` filters as one types; `s` sorts by the next column, `S` turns the order round.

    Tasks that can't be stepped are muted and have a sign; `u` hides them. Space marks a task; a mark stays
    with its name, also while a filter hides it.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "task-table--head",
        "task-table--head-sorted",
        "task-table--figure",
        "task-table--problem",
        "task-table--mark",
    }

    DEFAULT_CSS = """
    TaskTable {
        & > .task-table--head { color: $foreground-muted; background: $panel; text-style: bold; }
        & > .task-table--head-sorted { color: $text-accent; background: $panel; text-style: bold; }
        & > .task-table--figure { color: $foreground; }
        & > .task-table--problem { color: $text-warning; }
        & > .task-table--mark { color: $text-accent; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tasks")]

    heading = "Tasks"
    instance_words = ""
    """Which instance of the task under the cursor is meant: "instance 3 of 167"."""
    nothing_text = empty_text = "No tasks here: choose a benchmark."
    no_match_text = "No task matches the filter."

    @dataclass
    class RowFocused(Message):
        table: TaskTable
        entry: TaskEntry

    @dataclass
    class RowActivated(Message):
        table: TaskTable
        entry: TaskEntry

    @dataclass
    class FilterChanged(Message):
        table: TaskTable
        query: str
        shown: int

    def __init__(self, columns: Sequence[Column] = COLUMNS, **names: Any) -> None:
        super().__init__(**names)
        self._columns = columns
        self._results: Mapping[str, TaskResults] = {}
        self._used = list(range(len(columns)))
        self._name_width = 8
        self._only = TaskFilter()
        self._problems = 0
        self._marked: dict[tuple[str, str], None] = {}
        self._sorted: int | None = None
        self._descending = False

    # Data

    @property
    def rows(self) -> tuple[TaskEntry, ...]:
        """The rows that pass the filter, as sorted."""
        return tuple(self._shown)

    @rows.setter
    def rows(self, rows: Iterable[TaskEntry]) -> None:
        self._all = list(rows)
        self._texts = [search_text(row) for row in self._all]
        self._problems = sum(bool(row.problem) for row in self._all)
        here = {_key(row) for row in self._all}
        self._marked = {key: None for key in self._marked if key in here}
        self._only = TaskFilter()
        self._find_used()
        self._rebuild()

    @property
    def entry(self) -> TaskEntry | None:
        """The row under the cursor."""
        return self._here

    @property
    def marked(self) -> tuple[str, ...]:
        """Names of the marked tasks, in the order in which they were marked."""
        return tuple(name for _, name in self._marked)

    @property
    def filter(self) -> str:
        """What rows must hold; setting it is the same as typing it after `/`."""
        return self._query.text

    @filter.setter  # noqa: A003
    def filter(self, query: str) -> None:
        self.set_filter(query)

    @property
    def results(self) -> Mapping[str, TaskResults]:
        """What is known of runs, by task name."""
        return self._results

    @results.setter
    def results(self, results: Mapping[str, TaskResults]) -> None:
        self._results = results
        self._find_used()
        self._rebuild()

    def _find_used(self) -> None:
        """Which columns say anything, and how wide names are: blank columns take no room."""
        self._used = [
            at
            for at, column in enumerate(self._columns)
            if at < 2 or any(column.text(entry, self._results_of(entry)) for entry in self._all)
        ]
        sign = self._sign_width if self._signs else 0
        self._name_width = max([8, *(len(entry.name) + sign for entry in self._all)])

    def set_filter(self, query: str) -> None:
        super().set_filter(query)
        self.post_message(self.FilterChanged(self, query, len(self._shown)))

    def passes(self, row: TaskEntry, text: str, words: Sequence[str]) -> bool:
        return super().passes(row, text, words) and self._only.passes(row)

    def put_in_order(self, rows: list[TaskEntry]) -> None:
        """As sorted; else they stay in the file's order."""
        if self._sorted is not None:
            text = self._columns[self._sorted].text
            rows.sort(key=lambda row: natural(text(row, self._results_of(row))), reverse=self._descending)

    def came_to(self, row: TaskEntry | None) -> None:
        if row is not None:
            self.post_message(self.RowFocused(self, row))

    # Looks

    def show_titles(self, *, heading: str | None = None, instance: str | None = None) -> None:
        """Say in the border whose tasks these are, and which instance is meant; None keeps the words."""
        self.heading = self.heading if heading is None else heading
        self.instance_words = self.instance_words if instance is None else instance
        self._show_titles()

    def _show_titles(self) -> None:
        self.border_title = Content(plain_text(self.heading, limit=60))
        words = [self._count_words("task"), *self._only.told]
        if self._marked:
            words.append(f"{len(self._marked):,} marked")
        if self._problems and not self.filtered:
            words.append(f"{len(self._all) - self._problems:,} can be stepped")
        if self.instance_words:
            words.insert(0, self.instance_words)
        self.border_subtitle = Content(" · ".join([*words, *self._query_words()]))

    def _layout(self, width: int) -> list[tuple[int, Column, int]]:
        """Columns with the cells they get; the least important are left out where room is short."""
        shown = [(at, self._columns[at]) for at in self._used]
        first = min(30, self._name_width, width // 3)
        room = width - first - INTENT_WIDTH - 2
        while len(shown) > 2 and sum(column.width + 1 for _, column in shown[2:]) > room:
            shown.remove(min(shown[2:], key=lambda entry: entry[1].rank))
        if width < 70:
            shown = [(at, column) for at, column in shown if column.rank >= 8]
        widths = [first if at == 0 else column.width for at, column in shown]
        rest = width - sum(widths) - len(widths)
        return [(at, column, size or max(4, rest)) for (at, column), size in zip(shown, widths, strict=True)]

    def fixed_line(self, line: int, width: int) -> Strip:  # noqa: ARG002
        head = Line(width)
        for at, column, size in self._layout(width):
            arrow = ""
            if at == self._sorted:
                arrow = self.glyphs.descending if self._descending else self.glyphs.ascending
            name = "head-sorted" if at == self._sorted else "head"
            head.add(fitted(column.title + arrow, size, column.right) + " ", self.part(f"task-table--{name}"))
        return head.strip(self.part("task-table--head"))

    def row_line(self, row: int, width: int) -> Line:
        entry = self._shown[row]
        results = self._results_of(entry)
        line = Line(width)
        for number, (_, column, size) in enumerate(self._layout(width)):
            if number == 0 and self._signs:
                size -= self._add_sign(line, entry)
            text = fitted(plain_text(column.text(entry, results), limit=300), size, column.right)
            line.add(text, self.part(self._part_of(entry, column, number)))
            line.add(" ")
        return line

    def _part_of(self, entry: TaskEntry, column: Column, number: int) -> str:
        if column.right:
            return "task-table--figure"
        return "row-list--muted" if number > 1 or entry.problem else "row-list--row"

    @property
    def _signs(self) -> bool:
        """Whether any row has a sign, so that names are set off by its width."""
        return bool(self._problems or self._marked)

    @property
    def _sign_width(self) -> int:
        return max(cell_len(self.glyphs.warning), cell_len(self.glyphs.selected)) + 1

    def _add_sign(self, line: Line, entry: TaskEntry) -> int:
        """What stands before the name: a mark, or that it can't be stepped; its width."""
        marked = _key(entry) in self._marked
        sign = self.glyphs.selected if marked else self.glyphs.warning if entry.problem else ""
        part = "task-table--mark" if marked else "task-table--problem"
        line.add(sign + " " * (self._sign_width - cell_len(sign)), self.part(part))
        return self._sign_width

    def _results_of(self, entry: TaskEntry) -> TaskResults:
        return self._results.get(entry.name, NO_RESULTS)

    # Keys

    def row_focused(self, row: int) -> None:
        self.post_message(self.RowFocused(self, self._shown[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.RowActivated(self, self._shown[row]))

    def action_clear_filter(self) -> None:
        """What was typed first, then the split and what hides tasks."""
        if not self._query.text:
            self._only = TaskFilter()
        self.set_filter("")

    def action_mark(self) -> None:
        """Mark the task, or take its mark away, and go on to the next."""
        if (entry := self.entry) is None:
            return
        key = _key(entry)
        if key in self._marked:
            del self._marked[key]
        else:
            self._marked[key] = None
        self._marks_changed()
        self.action_move(1)

    def action_clear_marks(self) -> None:
        self._marked.clear()
        self._marks_changed()

    def _marks_changed(self) -> None:
        self._find_used()
        self.refresh()
        self._show_titles()

    def show_split(self, split: str) -> None:
        """Only the tasks of one split; "" shows all."""
        self._only.split = split
        self._rebuild()

    def action_usable(self) -> None:
        """Only tasks that can be stepped, and all again."""
        if not self._problems:
            self.notify("Every task here can be stepped.", markup=False)
            return
        self._only.usable = not self._only.usable
        self._rebuild()

    @property
    def has_problems(self) -> bool:
        """Whether there are tasks that can't be stepped."""
        return bool(self._problems)

    @property
    def filtered(self) -> bool:
        """Whether some rows may be hidden."""
        return bool(self._query.text or self._only.told)

    @property
    def split(self) -> str:
        """The only split that is shown, "" for all."""
        return self._only.split

    @property
    def hides_more(self) -> bool:
        """Whether rows may be hidden that are in the split."""
        return bool(self._query.text or self._only.usable)

    def action_sort(self) -> None:
        """By the next column that says anything, and after the last in the file's order again."""
        following = [at for at in self._used if self._sorted is None or at > self._sorted]
        self._sorted = following[0] if following else None
        self._rebuild()

    def action_reverse(self) -> None:
        self._descending = not self._descending
        self._rebuild()


def _key(entry: TaskEntry) -> tuple[str, str]:
    """What a mark belongs to."""
    return entry.benchmark, entry.name


def natural(text: str) -> tuple[int, float, str]:
    """Numbers before words and by their size; blanks last."""
    try:
        return 0, float(text), ""
    except ValueError:
        return (1 if text else 2), 0.0, text.casefold()
