"""The benchmarks with their state: ready, needs data, needs sites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.message import Message

from webbench.core.engine.wire.catalogue_messages import TasksListed
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList


class BenchmarkList(RowList):
    """One row per benchmark; moving the cursor chooses."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"benchmark-list--ready", "benchmark-list--missing"}
    DEFAULT_CSS = """
    BenchmarkList {
        & > .benchmark-list--ready { color: $text-success; }
        & > .benchmark-list--missing { color: $text-warning; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("benchmarks")]
    empty_text = "Looking what is installed…"

    @dataclass
    class Chosen(Message):
        name: str

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._names: Sequence[str] = ()
        self._listed: Mapping[str, TasksListed] = {}

    def on_mount(self) -> None:
        self.border_title = "Benchmarks"

    @property
    def names(self) -> Sequence[str]:
        return self._names

    @names.setter
    def names(self, names: Sequence[str]) -> None:
        self._names = names
        self.empty_text = "No benchmark is installed."
        self.rows_changed()

    @property
    def listed(self) -> Mapping[str, TasksListed]:
        """What the engine told of each benchmark so far."""
        return self._listed

    @listed.setter
    def listed(self, listed: Mapping[str, TasksListed]) -> None:
        self._listed = listed
        ready = sum(one.status.state == "ready" for one in listed.values())
        self.border_subtitle = f"{ready} of {len(self._names)} ready"
        self.rows_changed()

    @property
    def chosen(self) -> str:
        """Name of the benchmark under the cursor."""
        return self._names[self.cursor] if self._names else ""

    @chosen.setter
    def chosen(self, name: str) -> None:
        if name in self._names:
            self.cursor = list(self._names).index(name)

    @property
    def row_count(self) -> int:
        return len(self._names)

    def row_line(self, row: int, width: int) -> Line:
        name = self._names[row]
        listed = self._listed.get(name)
        line = Line(width)
        if listed is None:
            return line.add(f" {self.glyphs.pending} ").add(name)
        if listed.status.state == "ready":
            line.right(f" {count_text(listed)}", self.part("row-list--muted"))
            line.add(f" {self.glyphs.passed} ", self.part("benchmark-list--ready"))
            return line.add(plain_text(listed.title))
        line.add(f" {self.glyphs.warning} ", self.part("benchmark-list--missing"))
        state = f" {listed.status.state}"
        if width >= len(listed.title) + len(state) + 3:
            line.right(state, self.part("row-list--muted"))
        return line.add(plain_text(listed.title))

    def row_focused(self, row: int) -> None:
        self.post_message(self.Chosen(self._names[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.Chosen(self._names[row]))
        self.screen.focus_next()


def count_text(listed: TasksListed) -> str:
    """How many tasks there are: "812", or of how many some can be stepped: "48/860"."""
    usable = sum(not entry.problem for entry in listed.entries)
    count = f"{len(listed.entries):,}"
    return count if usable == len(listed.entries) else f"{usable:,}/{count}"
