"""What a task asks for and brings along; never what it expects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from textual.content import Content

from webbench.core.engine.wire.catalogue_messages import TaskResults
from webbench.core.json_types import Json
from webbench.core.task import PICTURES, Task, task_pictures
from webbench.core.text.no_value import or_blank
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lists.text_rows import Entry, TextRows

INPUT_LIMIT = 1_500


class TaskPreview(TextRows):
    """The intent in full, where the task comes from, earlier results, and its inputs."""

    empty_text = "Choose a task to see what it asks for."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._shown: Task | None = None
        self._notes: tuple[Entry, ...] = ()
        self._trouble = ""

    def on_mount(self) -> None:
        self.border_title = Content("Preview")

    @property
    def shown_task(self) -> Task | None:
        return self._shown

    @shown_task.setter
    def shown_task(self, task: Task | None) -> None:
        self._shown = task
        self._show()

    @property
    def trouble(self) -> str:
        """Why the task can't be stepped, "" where it can."""
        return self._trouble

    @trouble.setter
    def trouble(self, trouble: str) -> None:
        self._trouble = trouble
        self._show()

    @property
    def notes(self) -> Sequence[Entry]:
        """Further lines, such as earlier results."""
        return self._notes

    @notes.setter
    def notes(self, notes: Sequence[Entry]) -> None:
        self._notes = tuple(notes)
        self._show()

    def _show(self) -> None:
        if self._shown is None:
            self.entries = self._notes
        else:
            self.entries = task_entries(self._shown, self._notes, self._trouble)


def result_entries(found: TaskResults, instance: int | None) -> list[Entry]:
    """Earlier results of a task; with an instance those of the instance, then those of all."""
    if instance is None:
        return _scores(found)
    tried = found.instances.get(instance, TaskResults())
    shown = _scores(tried) if tried.attempts else [Entry("attempts", "none at this instance")]
    others = " · ".join(f"{entry.label} {entry.text}" for entry in _scores(found))
    return [*shown, Entry("all instances", others, "muted")]


def _scores(found: TaskResults) -> list[Entry]:
    scores = (("best human", found.best_human), ("best agent", found.best_agent), ("my last", found.last))
    entries = [Entry(label, or_blank(value)) for label, value in scores if value is not None]
    return [*entries, Entry("attempts", f"{found.attempts:,}")]


def task_entries(task: Task, notes: Sequence[Entry] = (), trouble: str = "") -> Iterator[Entry]:
    """Intent, what keeps it from being stepped, facts, notes and inputs of a task."""
    yield Entry("", task.intent or "(this task's instructions are on its page)", "strong")
    yield Entry("", "")
    if trouble:
        yield Entry("problem", trouble, "bad")
        yield Entry("", "")
    facts = {"task": task.id, "benchmark": task.benchmark, "split": task.split, "site": task.site}
    facts |= {"kind": task.kind, "template": task.template if task.template != task.name else ""}
    for label, value in facts.items():
        if value:
            yield Entry(label, value)
    yield from notes
    pictures = task_pictures(task)
    for index, picture in enumerate(pictures):
        yield Entry(f"picture {index + 1}", f"{picture.width} x {picture.height} {picture.format}")
    for name, value in task.data.items():
        if pictures and name == PICTURES:
            continue
        yield Entry("", "")
        yield from _input(name, value)


def _input(name: str, value: Json) -> Iterator[Entry]:
    """An input; the parts of a table each on a line of their own."""
    if not isinstance(value, dict):
        yield Entry("", name, "muted")
        yield Entry("", _text(value))
        return
    yield Entry("", name, "muted")
    for key, part in value.items():
        yield Entry(plain_text(key, limit=24), _text(part))


def _text(value: Json) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ", ".join(str(part) for part in value)[:INPUT_LIMIT]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text[:INPUT_LIMIT]
