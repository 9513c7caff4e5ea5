"""Picking one of many from a list that what is typed narrows down; words after a name are its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.screens.dialogs.prompt import TypedText
from webbench.tui.widgets.fields.safe_input import SafeInput


@dataclass(frozen=True, slots=True)
class Pick:
    """What can be picked: its name, "" for nothing; a few words; all there is to say.

    `asks` is what has to be said besides, behind the name; "" for nothing.
    """

    name: str
    title: str
    detail: str = ""
    asks: str = ""


def fitting(choices: Sequence[Pick], typed: str) -> list[Pick]:
    """Those with the typed word in their name, then those told of with it; all where nothing is typed."""
    word = typed.casefold()
    by_name = [one for one in choices if word in one.name.casefold()]
    begins = sorted(by_name, key=lambda one: not one.name.casefold().startswith(word)) if word else by_name
    others = [one for one in choices if one not in by_name]
    return begins + [one for one in others if word in f"{one.title} {one.detail}".casefold()]


class PickPrompt(ModalScreen[str | None]):
    """Gives the name that was picked with what was typed behind it; "" for none, None when it is left.

    Args:
        nobody: what picking none is called, "" where there has to be one.
        chosen: what is in focus first; what stands behind its name can be edited.
        hint: what stands in the field that is typed into.
    """

    CSS = """
    PickPrompt { align: center middle; }
    PickPrompt > Vertical {
        width: 100; max-width: 95%; height: auto; max-height: 92%; padding: 0 2;
        border: round $primary; background: $surface;
    }
    PickPrompt #question { margin-bottom: 1; }
    PickPrompt OptionList {
        height: auto; max-height: 12; border: none; text-wrap: nowrap; text-overflow: ellipsis;
    }
    PickPrompt OptionList > .option-list--option-highlighted {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
    }
    PickPrompt #detail { margin-top: 1; height: 3; color: $foreground-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("pick")]

    def __init__(
        self,
        question: str,
        choices: Sequence[Pick],
        *,
        nobody: str = "",
        chosen: str = "",
        hint: str = "type to narrow down",
    ) -> None:
        super().__init__()
        self.question = question
        self._choices = [*([Pick("", nobody)] if nobody else []), *choices]
        self._shown = self._choices
        self._first, _, options = chosen.partition(" ")
        self._typed = chosen if options else ""
        self._leaving = TypedText()
        # Kept, for a prompt that is closed while it opens has no parts to find.
        self._field = SafeInput(self._typed, placeholder=hint, compact=True)
        self._options = OptionList()
        self._options.can_focus = False
        self._detail = Static(id="detail", markup=False)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(plain_text(self.question)), id="question")
            yield self._field
            yield self._options
            yield self._detail

    def on_mount(self) -> None:
        self._fill(self._first if self._typed else "")
        names = [one.name for one in self._shown]
        self._options.highlighted = names.index(self._first) if self._first in names else 0

    @property
    def _choice(self) -> Pick | None:
        """The one in focus."""
        at = self._options.highlighted
        return self._shown[at] if at is not None and at < len(self._shown) else None

    def _fill(self, typed: str) -> None:
        self._shown = fitting(self._choices, typed)
        width = max((len(one.name) for one in self._shown), default=0)
        self._options.set_options(Option(_line(one, width)) for one in self._shown)
        self._options.highlighted = 0 if self._shown else None
        self._tell()

    def _tell(self) -> None:
        """What the one in focus is, or what it still needs."""
        choice = self._choice
        told = "Nothing here is called so." if choice is None else choice.detail
        if choice is not None and choice.asks and self._field.value.strip().startswith(choice.name):
            told = choice.asks
        self._detail.update(Content(told))

    def action_leave(self) -> None:
        """At once where no options were typed; else at the second Escape."""
        typed = self._field.value.strip()
        if self._leaving.may_go(self, " " in typed and typed != self._typed):
            self.dismiss(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._leaving.went_on()
        self._fill(event.value.strip().partition(" ")[0])

    def on_option_list_option_highlighted(self) -> None:
        self._tell()

    def on_option_list_option_selected(self) -> None:
        self._choose(self._field.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._choose(event.value)

    def action_move(self, rows: int) -> None:
        (self._options.action_cursor_down if rows > 0 else self._options.action_cursor_up)()

    def _choose(self, typed: str) -> None:
        """Give the one in focus with the options that were typed; first ask for those it can't do without."""
        choice = self._choice
        if choice is None:
            return
        options = typed.strip().partition(" ")[2].strip()
        if choice.asks and not options:
            self._field.value = f"{choice.name} "
            self._field.cursor_position = len(self._field.value)
            return
        self.dismiss(f"{choice.name} {options}".strip() if choice.name else "")


def _line(choice: Pick, width: int) -> Content:
    if not choice.name:
        return Content.styled(choice.title, "italic")
    return Content(f"{choice.name:<{width}}  {choice.title}")
