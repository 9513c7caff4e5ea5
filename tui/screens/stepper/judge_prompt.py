"""Asks the person for a verdict that no rule gives: digits choose, Enter commits, Escape leaves it open."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from webbench.core.judge import Question
from webbench.core.scoring.judges.human import HumanVerdict
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.screens.dialogs.prompt import Choosing, TypedText
from webbench.tui.widgets.fields.safe_input import SafeInput

LONGEST_FIELD = 4000


class JudgePrompt(Choosing[HumanVerdict | None]):
    """Shows the question's fields and its verdicts; gives the verdict with a reason, or None."""

    CSS = """
    JudgePrompt { align: center middle; }
    JudgePrompt > Vertical {
        width: 90; max-width: 95%; height: auto; max-height: 95%; padding: 1 2;
        border: round $primary; background: $surface;
    }
    JudgePrompt VerticalScroll { height: auto; max-height: 14; margin-bottom: 1; }
    JudgePrompt .field-name { color: $text-muted; }
    JudgePrompt OptionList { height: auto; max-height: 7; border: none; margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("judge")]
    AUTO_FOCUS = "OptionList"

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self._chosen = ""
        self._typed = TypedText()

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content("Your verdict")
            box.border_subtitle = Content(plain_text(self.question.kind, limit=60))
            with VerticalScroll():
                for name, text in self.question.fields.items():
                    yield Static(Content(plain_text(name, limit=40)), classes="field-name")
                    yield Static(Content(plain_text(text, limit=LONGEST_FIELD, newlines="keep")))
            yield self.numbered(self.question.verdicts)
            yield SafeInput(
                placeholder="why (may be empty), Enter commits", disabled=True, select_on_focus=False
            )

    def action_choose(self, number: int) -> None:
        if number > len(self.question.verdicts):
            self.notify(f"The verdicts are 1 to {len(self.question.verdicts)}.", markup=False)
            return
        self.query_one(OptionList).highlighted = number - 1
        self._chosen = self.question.verdicts[number - 1]
        reason = self.query_one(Input)
        reason.disabled = False
        reason.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_index + 1)

    def action_leave(self) -> None:
        """From the reason back to the verdicts; from there the question stays open."""
        reason = self.query_one(Input)
        if reason.has_focus:
            self.query_one(OptionList).focus()
        elif self._typed.may_go(self, bool(reason.value.strip())):
            self.dismiss(None)

    def on_input_changed(self) -> None:
        self._typed.went_on()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(HumanVerdict(self._chosen, event.value.strip()))
