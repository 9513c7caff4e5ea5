"""Notes on the episode, and the memory of its actor: what was written so far, and a field for more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.fields.safe_input import SafeInput
from webbench.tui.widgets.lines.line import Line, wrap
from webbench.tui.widgets.lists.row_list import RowList


class NoteRows(RowList):
    """The notes, each wrapped under its step."""

    DEFAULT_CSS = """
    NoteRows { border: none; &:focus { border: none; } }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = set()
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("notes")]

    def __init__(self, empty_text: str, **names: Any) -> None:
        super().__init__(**names)
        self.empty_text = empty_text
        self._notes: list[tuple[int, str]] = []
        self._lines: list[tuple[str, str]] = []

    @property
    def row_count(self) -> int:
        return len(self._lines)

    def action_write(self) -> None:
        self.query_ancestor(Notes).write()

    def show(self, notes: list[tuple[int, str]]) -> None:
        self._notes = notes
        self._wrap()
        self.cursor = self.row_count - 1

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width = max(10, self.scrollable_content_region.width - 7)
        self._lines = [
            (f"{step:>4}" if number == 0 else "", line)
            for step, text in self._notes
            for number, line in enumerate(wrap(plain_text(text, limit=2000), width, 20))
        ]
        self.rows_changed()

    def row_line(self, row: int, width: int) -> Line:
        step, text = self._lines[row]
        return Line(width).add(f"{step:<5} ", self.part("row-list--muted")).add(text)


class NoteInput(SafeInput):
    """Looks like a field only while it has the focus; else it says which key leads there.

    What is typed in it stays when Escape gives the focus back.
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(select_on_focus=False)
        self._asks = placeholder

    def on_mount(self) -> None:
        self.on_blur()

    def on_focus(self) -> None:
        self.placeholder = self._asks

    def on_blur(self) -> None:
        self.placeholder = f"{shown_key(self.app, 'notes.write')} goes to the field"

    async def action_submit(self) -> None:
        self.query_ancestor(Notes).keep_written()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.query_ancestor(Notes).query_one(NoteRows).focus()


class Notes(Vertical):
    """Enter writes a note on the present step."""

    heading: ClassVar[str] = "Notes"
    empty_text: ClassVar[str] = "No notes. Write what was odd; it is kept with the step."
    placeholder: ClassVar[str] = "A note on this step, Enter keeps it"

    DEFAULT_CSS = """
    Notes {
        height: 1fr;
        background: $surface;
        border: round $border-blurred;
        border-title-color: $foreground-muted;
        border-subtitle-color: $foreground-muted;
        &:focus-within { border: round $border; border-title-color: $foreground; border-title-style: bold; }
        & NoteInput { height: 1; border: none; padding: 0 1; background: $surface; }
        & NoteInput:focus { border: none; background: $panel; }
    }
    """

    @dataclass
    class NoteWritten(Message):
        notes: Notes
        text: str

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._notes: list[tuple[int, str]] = []

    def compose(self) -> ComposeResult:
        yield NoteRows(self.empty_text)
        yield NoteInput(self.placeholder)

    def on_mount(self) -> None:
        self.border_title = Content(self.heading)

    @property
    def notes(self) -> tuple[tuple[int, str], ...]:
        """(step, text) in order."""
        return tuple(self._notes)

    @notes.setter
    def notes(self, notes: Iterable[tuple[int, str]]) -> None:
        self._notes = list(notes)
        self.query_one(NoteRows).show(self._notes)
        self.border_subtitle = Content(f"{len(self._notes)}" if self._notes else "")

    def add(self, step: int, text: str) -> None:
        self.notes = (*self._notes, (step, text))

    def write(self) -> None:
        """Go to the field."""
        self.query_one(NoteInput).focus()

    def keep_written(self) -> None:
        """Keep what stands in the field; what is typed from now on is the next note."""
        field = self.query_one(NoteInput)
        if text := field.value.strip():
            field.value = ""
            self.keep(text)

    def keep(self, text: str) -> None:
        self.post_message(self.NoteWritten(self, text))


class Memory(Notes):
    """What the actor hands on from step to step; Enter remembers more, as an action."""

    heading = "Memory"
    empty_text = "Nothing is remembered. What stands here is handed on from step to step."
    placeholder = "Something to remember, Enter keeps it"

    @dataclass
    class Remembered(Message):
        memory: Memory
        text: str

    def keep(self, text: str) -> None:
        self.post_message(self.Remembered(self, text))
