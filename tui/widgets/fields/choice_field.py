"""A field of a form that isn't typed into: Enter, space or a click chooses what stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings


class ChoiceField(Static, can_focus=True):
    """One line; set `value`. What it is chosen from is the form's affair."""

    DEFAULT_CSS = """
    ChoiceField {
        width: 1fr; height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis;
        &:focus {
            background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("field")]

    @dataclass
    class Choosing(Message):
        """Another value is wanted."""

        field: ChoiceField

        @property
        def control(self) -> ChoiceField:
            return self.field

    def __init__(self, value: str, **names: Any) -> None:
        super().__init__(markup=False, **names)
        self.value = value

    @property
    def value(self) -> str:
        return self._value

    @value.setter
    def value(self, value: str) -> None:
        self._value = value
        self.update(Content(plain_text(value, limit=300)))

    def action_choose(self) -> None:
        self.post_message(self.Choosing(self))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.focus()
        self.action_choose()
