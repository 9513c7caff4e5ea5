"""What a task asks for and brings along; never what it expects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from textual.content import Content

from webbench.core.plain_text import plain_text
from webbench.core.task import Task
from webbench.tui.widgets.line import Line, wrap
from webbench.tui.widgets.row_list import RowList

INPUT_LIMIT = 1_500


class TaskPreview(RowList):
    """The intent in full, where the task comes from, and its inputs."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"task-preview--label", "task-preview--intent"}

    DEFAULT_CSS = """
    TaskPreview {
        & > .task-preview--label { color: $text-secondary; text-style: bold; }
        & > .task-preview--intent { color: $foreground; text-style: bold; }
        & > .row-list--cursor { color: $foreground; background: $surface; text-style: none; }
        & > .row-list--cursor-blurred { background: $surface; }
    }
    """

    empty_text = "Choose a task to see what it asks for."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._shown: Task | None = None
        self._notes: tuple[str, ...] = ()
        self._lines: list[tuple[str, str, str]] = []

    def on_mount(self) -> None:
        self.border_title = Content("Preview")

    @property  # type: ignore[override]
    def task(self) -> Task | None:
        """The task that is shown."""
        return self._shown

    @task.setter
    def task(self, task: Task | None) -> None:
        self._shown, self._notes = task, ()
        self.scroll_to(y=0, animate=False)
        self._build()

    @property
    def notes(self) -> Sequence[str]:
        """Further lines for this task, such as earlier results; gone with the next task."""
        return self._notes

    @notes.setter
    def notes(self, notes: Sequence[str]) -> None:
        self._notes = tuple(notes)
        self._build()

    @property
    def row_count(self) -> int:
        return len(self._lines)

    def on_resize(self) -> None:
        self._build()

    def _build(self) -> None:
        self._lines = []
        task = self._shown
        if task is not None:
            self._text(task.intent or "(this task's instructions are on its page)", "intent")
            self._lines.append(("", "", "text"))
            facts = {"task": task.id, "benchmark": task.benchmark, "split": task.split, "site": task.site}
            facts |= {"kind": task.kind, "template": task.template}
            for label, value in facts.items():
                self._fact(label, value)
            for note in self._notes:
                self._text(note, "text")
            if task.data:
                self._lines.append(("", "", "text"))
                self._text("Inputs", "label")
                for name, value in task.data.items():
                    shown = (
                        value
                        if isinstance(value, str)
                        else json.dumps(value, ensure_ascii=False, default=str)
                    )
                    self._fact(str(name), shown[:INPUT_LIMIT])
        self.border_subtitle = Content(plain_text(task.id, limit=60) if task else "")
        self.cursor = 0
        self.rows_changed()

    def _fact(self, label: str, value: str) -> None:
        if value:
            self._text(value, "text", plain_text(label, limit=60))

    def _text(self, text: str, kind: str, label: str = "") -> None:
        width = max(10, self.scrollable_content_region.width - 2)
        lead = f"{label}  " if label else ""
        lines = wrap(lead + plain_text(text, limit=INPUT_LIMIT), width, 12)
        for number, line in enumerate(lines):
            head = lead if number == 0 and line.startswith(lead.strip()) else ""
            self._lines.append((head.strip(), line[len(head.strip()) :], kind))

    def row_line(self, row: int, width: int) -> Line:
        label, text, kind = self._lines[row]
        style = self.part(f"task-preview--{kind}") if kind != "text" else self.part("row-list--row")
        return Line(width).add(" ").add(label, self.part("task-preview--label")).add(text, style)

    def action_move(self, rows: int) -> None:
        """There is nothing to choose: arrows scroll."""
        self.scroll_relative(y=rows, animate=False)
