"""A query typed into a list itself: what `/` opens, shown in the border."""

from __future__ import annotations

from typing import Literal

from textual import events

Outcome = Literal["changed", "done", "cancelled", "ignored"]


class TypedQuery:
    """Text that grows and shrinks with keys while `typing` is on."""

    def __init__(self) -> None:
        self.text = ""
        self.typing = False
        self._before = ""

    def open(self) -> None:
        self._before = self.text
        self.text = ""
        self.typing = True

    def key(self, event: events.Key) -> Outcome:
        """Take one key; "cancelled" has put the former text back."""
        if event.key == "enter":
            self.typing = False
            return "done"
        if event.key == "escape":
            self.typing = False
            self.text = self._before
            return "cancelled"
        if event.key in ("backspace", "ctrl+h"):
            self.text = self.text[:-1]
            return "changed"
        if event.key == "ctrl+u":
            self.text = ""
            return "changed"
        if event.is_printable and event.character:
            self.text += event.character
            return "changed"
        return "ignored"
