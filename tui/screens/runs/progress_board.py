"""The board of a planned run: progress, pace, who works at it; and why episodes have no score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.strip import Strip
from textual.widget import Widget

from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import count_words, pace_words, resuming_words, runner_words
from webbench.core.runner.status.unscored_causes import Cause
from webbench.core.score.score import Status
from webbench.core.text.plain_text import plain_text
from webbench.tui.cli.output import folded
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import glyphs_of
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable

LINES = 3
LONGEST_BAR = 30
STATE_PARTS = {"running": "good", "finished": "good", "stale": "warn", "interrupted": "warn"}
"""Looks of a run's state; every other one is trouble."""


class RunBoard(Widget):
    """Three lines, and what to do where a run stopped before its end; set `status`.

    Args:
        store_option: names the runs' store in commands, "" for the usual one.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"run-board--{name}" for name in ("good", "warn", "bad", "bar", "rest", "muted")
    }

    DEFAULT_CSS = """
    RunBoard {
        height: 3;
        padding: 0 1;
        background: $panel;
        & > .run-board--good { color: $text-success; text-style: bold; }
        & > .run-board--warn { color: $text-warning; text-style: bold; }
        & > .run-board--bad { color: $text-error; text-style: bold; }
        & > .run-board--bar { color: $text-success; }
        & > .run-board--rest { color: $foreground 40%; }
        & > .run-board--muted { color: $foreground-muted; }
    }
    """

    def __init__(self, store_option: str = "", **names: Any) -> None:
        super().__init__(**names)
        self._status: RunStatus | None = None
        self._resuming: list[str] = []
        self._store_option = store_option

    @property
    def status(self) -> RunStatus | None:
        return self._status

    @status.setter
    def status(self, status: RunStatus | None) -> None:
        self._status = status
        self.display = status is not None
        self._fold()
        self.refresh()

    def on_resize(self) -> None:
        self._fold()

    def _fold(self) -> None:
        """A command is told whole, in as many lines as that takes."""
        words = resuming_words(self._status, self._store_option) if self._status is not None else ""
        self._resuming = folded(plain_text(words, limit=400), max(20, self.size.width)) if words else []
        self.styles.height = LINES + len(self._resuming)

    def render_line(self, y: int) -> Strip:
        line = Line(self.size.width)
        if self._status is None or y >= LINES + len(self._resuming):
            return line.strip(self.rich_style)
        if y == 0:
            self._progress(line, self._status)
        elif y == 1:
            line.add(plain_text(pace_words(self._status), limit=400))
        elif y == LINES - 1:
            line.add(plain_text(runner_words(self._status), limit=400), self._part("muted"))
        else:
            line.add(self._resuming[y - LINES])
        return line.strip(self.rich_style)

    def _progress(self, line: Line, status: RunStatus) -> None:
        line.add(f"{status.state}  ", self._part(STATE_PARTS.get(status.state, "bad")))
        size = min(LONGEST_BAR, line.width // 4)
        full = size * status.done // max(1, status.planned)
        glyphs = glyphs_of(self)
        line.add(glyphs.bar * full, self._part("bar"))
        line.add(glyphs.bar_rest * (size - full), self._part("rest"))
        line.add(f"  {count_words(status)}")

    def _part(self, name: str) -> Any:
        return component_style(self, f"run-board--{name}")


CAUSE_COLUMNS: tuple[RecordColumn[Cause], ...] = (
    RecordColumn("Episodes", lambda one: f"{one.count:,}", 8, 9, right=True),
    RecordColumn("Status", lambda one: one.status.words, 10, 5),
    RecordColumn(
        "Why there is no score", lambda one: one.cause if one.count > 1 else one.example, 0, 9, least=30
    ),
)


class CauseTable(RecordTable[Cause]):
    """Reasons without a score, the most frequent first; Enter shows the episodes of one."""

    def __init__(self, **names: Any) -> None:
        super().__init__(CAUSE_COLUMNS, lambda one: f"{one.status.value} {one.cause}", "cause", **names)

    def show(self, causes: Sequence[Cause]) -> None:
        """These causes; nothing where there are none."""
        self.display = bool(causes)
        if list(causes) != list(self.all_records):
            self.records = causes

    def part_of(self, record: Cause, column: RecordColumn[Cause], number: int) -> str:
        if column.title == "Status" and record.status is Status.ERROR:
            return "record-table--bad"
        return super().part_of(record, column, number)
