"""A dialog with text to read: a whole message, a task, what is wrong with a data set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen

from webbench.core.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.text_rows import Entry, TextRows


class ReadingScreen(ModalScreen[None]):
    """Scrolls labelled text; any leaving key closes it."""

    CSS = """
    ReadingScreen { align: center middle; }
    ReadingScreen > TextRows { width: 100; max-width: 94%; height: auto; max-height: 80%; padding: 1 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("reading")]

    def __init__(self, title: str, entries: Iterable[Entry]) -> None:
        super().__init__()
        self._heading = title
        self._rows = TextRows(entries)

    def compose(self) -> ComposeResult:
        yield self._rows

    def on_mount(self) -> None:
        self._rows.border_title = Content(plain_text(self._heading, limit=80))
        self._rows.border_subtitle = Content("Esc closes")
        self._rows.focus()
