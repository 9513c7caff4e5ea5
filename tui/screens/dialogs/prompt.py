"""Small modal screens: one line of text, one choice of several, yes or no."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from webbench.core.errors import WebbenchError
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.fields.safe_input import SafeInput

Given = TypeVar("Given")

OWN_KEYS = frozenset("123456789q?:!&")
"""What a careful question takes before any other letter: its digits, and the keys of everywhere."""


class TypedText:
    """Keeps one Escape from losing what was typed: it takes two in a row."""

    def __init__(self) -> None:
        self._warned = False

    def may_go(self, screen: Screen[Any], typed: bool) -> bool:
        """Whether the screen may be left now; where something is typed, it first says what is lost."""
        if not typed or self._warned:
            return True
        self._warned = True
        screen.notify("Escape once more leaves without what you typed.", markup=False, timeout=4)
        return False

    def went_on(self) -> None:
        """Something else was typed: the next Escape is the first again."""
        self._warned = False


class TextPrompt(ModalScreen[str | None]):
    """Asks for one line; gives None when it is left.

    Args:
        refused: why `value`, which was typed before, could not be taken.
    """

    CSS = """
    TextPrompt { align: center middle; }
    TextPrompt > Vertical {
        width: 72; max-width: 90%; height: auto; padding: 1 2; border: round $primary; background: $surface;
    }
    TextPrompt Static { margin-bottom: 1; }
    TextPrompt .refused { color: $text-error; margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("prompt")]

    def __init__(self, question: str, *, value: str = "", placeholder: str = "", refused: str = "") -> None:
        super().__init__()
        self.question = question
        self.value = value
        self.placeholder = placeholder
        self.refused = refused
        self._typed = TypedText()

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(plain_text(self.question)))
            yield SafeInput(value=self.value, placeholder=self.placeholder, select_on_focus=not self.refused)
            if self.refused:
                yield Static(Content(plain_text(self.refused, limit=400)), classes="refused")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """At once where nothing was typed; else at the second Escape."""
        if self._typed.may_go(self, self.query_one(Input).value != self.value):
            self.dismiss(None)

    def on_input_changed(self) -> None:
        self._typed.went_on()


async def ask_until_taken(
    screen: Screen[Any], question: str, take: Callable[[str], object], *, value: str = ""
) -> str | None:
    """Ask for one line until it is taken; None where that is left.

    Args:
        take: does what the line is for, in a thread; what it refuses stands there again, with the reason.
    """
    refused = ""
    while True:
        prompt = TextPrompt(question, value=value, refused=refused)
        given: str | None = await screen.app.push_screen_wait(prompt)
        if given is None:
            return None
        try:
            await asyncio.to_thread(take, given)
        except WebbenchError as error:
            value, refused = given, str(error)
        else:
            return given


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
        careful: for answers that can't be taken back, after a key that may have been meant for something
            else. A digit only puts the cursor on an answer, and Enter gives it. A letter shows that one types
            on for something else: it puts the cursor back, and digits count again after an arrow.
        preselect: without it the cursor is on no answer at first, for a question that comes by itself.
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
        self,
        question: str,
        choices: Sequence[tuple[str, str]],
        *,
        at: str | None = None,
        note: str = "",
        careful: bool = False,
        preselect: bool = True,
    ) -> None:
        super().__init__()
        self.question = question
        self.choices = list(choices)
        self._at = at
        self._note = note
        self._careful = careful
        self._types_on = False
        """Whether the last keys were a text that was meant for something else."""
        self._preselect = preselect
        # Kept, for a prompt that is closed while it opens has no parts to find.
        self._answers = self.numbered([label for _, label in self.choices])

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(plain_text(self.question)))
            if self._note:
                yield Static(Content(plain_text(self._note, newlines="keep")), classes="note")
            yield self._answers

    def on_mount(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """Put the cursor where it is at first."""
        values = [value for value, _ in self.choices]
        first = 0 if self._preselect else None
        self._answers.highlighted = values.index(self._at) if self._at in values else first

    def on_key(self, event: events.Key) -> None:
        """Of a careful question, keep what is typed for something else from being an answer."""
        if not self._careful:
            return
        if event.key in ("up", "down"):
            self._types_on = False
        elif event.is_printable and (self._types_on or event.character not in OWN_KEYS):
            self._types_on = True
            self._begin()
            event.stop()
            event.prevent_default()

    def action_pick(self, number: int) -> None:
        if number > len(self.choices):
            self.notify(f"The answers are 1 to {len(self.choices)}.", markup=False)
            return
        if self._careful:
            self._answers.highlighted = number - 1
        else:
            self.dismiss(self.choices[number - 1][0])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.choices[event.option_index][0])
