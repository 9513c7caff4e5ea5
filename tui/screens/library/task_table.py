"""All tasks of a benchmark as a table: thousands of rows, what runs came to, which can't be stepped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual.binding import BindingType

from webbench.core.engine.wire.catalogue_messages import TaskResults
from webbench.core.task import TaskEntry
from webbench.core.text.no_value import or_blank
from webbench.core.text.plain_text import display_width
from webbench.tui.commands import bindings
from webbench.tui.destinations import TaskList
from webbench.tui.screens.library.row_filter import TaskFilter, search_text
from webbench.tui.widgets.lists.record_table import ALWAYS, Columns, RecordColumn, RecordTable, fitting

NO_RESULTS = TaskResults()
LONGEST_NAME = 30

TASK_COLUMNS: Columns[TaskEntry] = (
    RecordColumn("Task", lambda entry: entry.name, LONGEST_NAME),
    RecordColumn("Intent", lambda entry: entry.intent, 0, least=42),
    RecordColumn("Site", lambda entry: entry.site, 12, 4),
    RecordColumn("Type", lambda entry: entry.kind, 12, 3),
    RecordColumn("Template", lambda entry: "" if entry.template == entry.name else entry.template, 12, 1),
    RecordColumn("Split", lambda entry: entry.split, 10, 2),
    RecordColumn(
        "Inst.", lambda entry: "" if entry.instances is None else f"{entry.instances:,}", 6, 5, right=True
    ),
)


class TaskTable(RecordTable[TaskEntry]):
    """Tasks of one benchmark, told apart by benchmark and name; those of another lose their marks.

    A task that can't be stepped is muted and has a sign; `u` hides such tasks.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"task-table--problem"}
    DEFAULT_CSS = "TaskTable > .task-table--problem { color: $text-warning; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tasks")]

    nothing_text = empty_text = "No tasks here: choose a benchmark."
    no_match_text = "No task matches the filter."
    keeps_marks = False

    def __init__(self, **names: Any) -> None:
        columns = (
            *TASK_COLUMNS,
            self._result_column("Human", lambda results: results.best_human, 6),
            self._result_column("Agent", lambda results: results.best_agent, 7),
            self._result_column("Last", lambda results: results.last, 8),
        )
        super().__init__(columns, lambda entry: (entry.benchmark, entry.name), "task", **names)
        self._results: Mapping[str, TaskResults] = {}
        self._name_width = LONGEST_NAME
        self._only = TaskFilter()
        self._problems = 0
        self._instance = ""

    def _result_column(
        self, title: str, figure: Callable[[TaskResults], float | None], rank: int
    ) -> RecordColumn[TaskEntry]:
        def text(entry: TaskEntry) -> str:
            return or_blank(figure(self._results.get(entry.name, NO_RESULTS)))

        return RecordColumn(title, text, 7, rank, right=True)

    @property
    def results(self) -> Mapping[str, TaskResults]:
        """What is known of runs, by task name."""
        return self._results

    @results.setter
    def results(self, results: Mapping[str, TaskResults]) -> None:
        self._results = results
        self.columns_changed()
        self.rebuild()

    def records_changed(self) -> None:
        entries = self.all_records
        self._problems = sum(bool(entry.problem) for entry in entries)
        self._name_width = min(LONGEST_NAME, max([8, *(display_width(entry.name) for entry in entries)]))
        self._only = TaskFilter()

    def columns_for(self, columns: Columns[TaskEntry]) -> Columns[TaskEntry]:
        """Blank columns take no room."""
        entries = self.all_records
        return tuple(one for one in columns if one.rank == ALWAYS or any(map(one.text, entries)))

    def layout_of(self, width: int) -> list[tuple[RecordColumn[TaskEntry], int]]:
        """Names take what the longest needs, and no more than a third."""
        name, *others = self._columns
        name = replace(name, width=min(self._name_width, width // 3))
        return fitting((name, *others), self._needs, width)

    # Filter

    def searched(self, record: TaskEntry) -> str:
        return search_text(record)

    def passes(self, record: TaskEntry, text: str, words: Sequence[str]) -> bool:
        return super().passes(record, text, words) and self._only.passes(record)

    @property
    def filtered(self) -> bool:
        return bool(self._query.text or self._only.told)

    @property
    def split(self) -> str:
        """The only split that is shown, "" for all."""
        return self._only.split

    @property
    def subset(self) -> str:
        """The subset that is shown, "@NAME", "" for none."""
        return self._only.subset

    @property
    def hides_more(self) -> bool:
        """Whether tasks may be hidden that are in the split."""
        return bool(self._query.text or self._only.usable or self._only.subset)

    def show_split(self, split: str) -> None:
        """Only the tasks of one split; "" shows all."""
        self._only.split, self._only.subset = split, ""
        self.rebuild()

    def show_subset(self, name: str, tasks: Sequence[str]) -> None:
        """Only these tasks, of the subset that is called so."""
        self._only.split, self._only.subset, self._only.names = "", name, frozenset(tasks)
        self.rebuild()

    @property
    def typed_filter(self) -> str:
        """The words that were typed."""
        return self._query.text

    @property
    def has_problems(self) -> bool:
        """Whether there are tasks that can't be stepped."""
        return bool(self._problems)

    def action_usable(self) -> None:
        """Only tasks that can be stepped, and all again."""
        if not self._problems:
            self.notify("Every task here can be stepped.", markup=False)
            return
        self._only.usable = not self._only.usable
        self.rebuild()

    def action_clear_filter(self) -> None:
        """What was typed first, then the split and what hides tasks."""
        if not self._query.text:
            self._only = TaskFilter()
        self.set_filter("")

    def following(self, name: str, instance: int) -> TaskList:
        """The tasks to go through from this one on: the marked ones if it is one of them, else those shown.

        The marked ones come in the order of the marks, and those before this one at last.
        """
        here = next((one for one in self.all_records if one.name == name), None)
        marked = here in self.marked
        entries = list(self.marked if marked else self.records)
        at = entries.index(here) if here in entries else 0
        after, before = entries[at + 1 :], entries[:at] if marked else []
        rest = [(one.name, one.instances or 0) for one in (*after, *before) if not one.problem]
        instances = (here.instances or 0) if here is not None else 0
        return TaskList(((name, instances), *rest), marked, instance=instance)

    # Looks

    def say_instance(self, words: str) -> None:
        """Which instance of the task under the cursor is meant: "instance 3 of 167"."""
        self._instance = words
        self._show_titles()

    def told(self) -> list[str]:
        words = [*filter(None, [self._instance]), *super().told(), *self._only.told]
        if self._problems and not self.filtered:
            words.append(f"{len(self._all) - self._problems:,} can be stepped")
        return words

    @property
    def indent(self) -> int:
        """Names are set off only where one has a sign."""
        return super().indent if self._problems or self.marked else 0

    def sign(self, record: TaskEntry) -> tuple[str, str]:
        sign = super().sign(record)
        return (self.glyphs.warning, "task-table--problem") if record.problem and not sign[0] else sign

    def part_of(self, record: TaskEntry, column: RecordColumn[TaskEntry], number: int) -> str:
        if column.right:
            return "row-list--row"
        return "row-list--muted" if number > 1 or record.problem else "row-list--row"
