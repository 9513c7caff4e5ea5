"""Small modal screens: one line of text, one choice of several, yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from webbench.core.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.safe_input import SafeInput

Given = TypeVar("Given")


class TextPrompt(ModalScreen[str | None]):
    """Asks for one line; gives None when it is left."""

    CSS = """
    TextPrompt { align: center middle; }
    TextPrompt > Vertical {
        width: 72; max-width: 90%; height: auto; padding: 1 2; border: round $primary; background: $surface;
    }
    TextPrompt Static { margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("prompt")]

    def __init__(self, question: str, *, value: str = "", placeholder: str = "") -> None:
        super().__init__()
        self.question = question
        self.value = value
        self.placeholder = placeholder

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(plain_text(self.question)))
            yield SafeInput(value=self.value, placeholder=self.placeholder)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class Choosing(ModalScreen[Given]):
    """A prompt whose answers stand in a numbered list."""

    def numbered(self, labels: Sequence[str]) -> OptionList:
        """The list; from the tenth on there is no digit left."""
        return OptionList(
            *(
                Option(Content(f"{number if number < 10 else ' '}  {plain_text(label)}"))
                for number, label in enumerate(labels, start=1)
            )
        )

    def action_move(self, rows: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if rows > 0 else options.action_cursor_up)()


class ChoicePrompt(Choosing[str | None]):
    """Asks for one of several (value, label) pairs; gives the value, or None. Digits choose at once.

    Args:
        at: the value that the cursor begins at, such as the one in force; by default the first.
        note: what is to be known of the question, on lines of its own.
    """

    CSS = """
    ChoicePrompt { align: center middle; }
    ChoicePrompt > Vertical {
        width: 72; max-width: 90%; height: auto; max-height: 80%; padding: 1 2;
        border: round $primary; background: $surface;
    }
    ChoicePrompt Static { margin-bottom: 1; }
    ChoicePrompt .note { color: $foreground-muted; }
    ChoicePrompt OptionList { height: auto; max-height: 16; border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("choice")]

    def __init__(
        self, question: str, choices: Sequence[tuple[str, str]], *, at: str | None = None, note: str = ""
    ) -> None:
        super().__init__()
        self.question = question
        self.choices = list(choices)
        self._at = at
        self._note = note

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(plain_text(self.question)))
            if self._note:
                yield Static(Content(plain_text(self._note)), classes="note")
            yield self.numbered([label for _, label in self.choices])

    def on_mount(self) -> None:
        values = [value for value, _ in self.choices]
        self.query_one(OptionList).highlighted = values.index(self._at) if self._at in values else 0

    def action_pick(self, number: int) -> None:
        if number > len(self.choices):
            self.notify(f"The answers are 1 to {len(self.choices)}.", markup=False)
            return
        self.dismiss(self.choices[number - 1][0])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.choices[event.option_index][0])
