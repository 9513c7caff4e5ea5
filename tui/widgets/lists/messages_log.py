"""What the page said: console lines, errors, failed requests, downloads, popups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.observation import PageMessage
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

KEPT = 5_000
LEVELS = ("info", "warning", "error")


class MessagesLog(RowList):
    """Messages in order; `x` shows only errors and warnings. Follows the end while the cursor is there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"messages-log--{level}" for level in LEVELS}

    DEFAULT_CSS = """
    MessagesLog {
        & > .messages-log--info { color: $foreground 75%; }
        & > .messages-log--warning { color: $text-warning; }
        & > .messages-log--error { color: $text-error; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("messages")]

    empty_text = "The page has said nothing."

    @dataclass
    class MessageActivated(Message):
        log: MessagesLog
        message: PageMessage

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._messages: list[tuple[int, PageMessage]] = []
        self._shown: list[tuple[int, PageMessage]] = []
        self._problems_only = False

    def on_mount(self) -> None:
        self._show_titles()

    def extend(self, step: int, messages: Iterable[PageMessage]) -> None:
        """Append what came with a step; beyond `KEPT` the oldest go (the record keeps them all)."""
        following = self.cursor >= self.row_count - 1
        self._messages = [*self._messages, *((step, message) for message in messages)][-KEPT:]
        self._filter()
        if following:
            self.cursor = self.row_count - 1

    def clear(self) -> None:
        self._messages = []
        self._filter()

    @property
    def messages(self) -> tuple[PageMessage, ...]:
        """The messages shown now."""
        return tuple(message for _, message in self._shown)

    @property
    def row_count(self) -> int:
        return len(self._shown)

    def action_toggle_quiet(self) -> None:
        self._problems_only = not self._problems_only
        self._filter()

    def _filter(self) -> None:
        if self._problems_only:
            self._shown = [entry for entry in self._messages if entry[1].level != "info"]
        else:
            self._shown = self._messages
        self.rows_changed()
        self._show_titles()

    def _show_titles(self) -> None:
        self.border_title = Content("Messages")
        errors = sum(message.level == "error" for _, message in self._messages)
        words = [f"{len(self._messages):,}"] if self._messages else []
        if errors:
            words.append(counted(errors, "error"))
        if self._problems_only:
            words.append("problems only")
        self.border_subtitle = Content(" · ".join(words))

    def row_line(self, row: int, width: int) -> Line:
        step, message = self._shown[row]
        style = self.part(f"messages-log--{message.level}")
        sign = {"info": self.glyphs.info, "warning": self.glyphs.warning, "error": self.glyphs.error}
        line = Line(width).add(f"{step:>3} ", self.part("row-list--muted"))
        line.add(f"{sign[message.level]} ", style)
        if width >= 50:
            line.add(f"{message.seconds:7.1f}s ", self.part("row-list--muted"))
        line.add(f"{message.kind:<8} ", self.part("row-list--muted"))
        line.add(plain_text(message.text, limit=400), style)
        if message.url:
            line.add(f"  {plain_text(message.url, limit=300)}", self.part("row-list--muted"))
        return line

    def row_activated(self, row: int) -> None:
        self.post_message(self.MessageActivated(self, self._shown[row][1]))
