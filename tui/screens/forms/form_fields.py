"""The fields of a command's form: lines to type into, answers to choose from, and what stands in them."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from webbench.core.text.plain_text import plain_text
from webbench.tui.cli.declared_form import CommandForm, FormField
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.forms.known_values import at_hand_values, known_values, meaning
from webbench.tui.widgets.fields.choice_field import ChoiceField
from webbench.tui.widgets.fields.safe_input import SafeInput
from webbench.tui.workers import run_worker

AS_IT_IS = "as it is set"
"""A choice that nobody made."""
PREFIX = "field-"


class FormFields(Vertical):
    """One row a field. Without the keys of what scrolls: they go from field to field.

    Args:
        at_hand: what the fields are filled with at first, by what it is: "run", "episode".
        store: what runs and episodes are chosen from.
        filled: what stands in fields besides, by their names.
    """

    @dataclass
    class Changed(Message):
        """Something else stands in a field."""

        fields: FormFields

    def __init__(
        self, form: CommandForm, at_hand: Mapping[str, str], store: Path, filled: Mapping[str, str]
    ) -> None:
        super().__init__(id="fields")
        self._form = form
        self._store = store
        self._first = {**at_hand_values(form, at_hand), **filled}
        self._answers = {
            one.name: self._first.get(one.name, one.answers[0])
            for one in form.fields
            if one.kind in ("switch", "choice")
        }

    def compose(self) -> ComposeResult:
        for one in self._form.fields:
            with Horizontal(classes="row"):
                yield Static(Content(one.label), classes="label")
                if one.name in self._answers:
                    yield ChoiceField(self._shown_answer(one), id=PREFIX + one.name)
                    continue
                empty = "needed" if one.required else "several, with blanks between" * one.many
                yield SafeInput(
                    self._first.get(one.name, ""),
                    placeholder=one.default or empty,
                    id=PREFIX + one.name,
                    compact=True,
                    select_on_focus=False,
                )

    @property
    def filled(self) -> dict[str, str]:
        """By name of field what stands there."""
        typed = {str(one.id).removeprefix(PREFIX): one.value for one in self.query(Input)}
        return typed | self._answers

    @property
    def is_typed(self) -> bool:
        """Whether something stands in a line that did not stand there at first."""
        return any(
            one.value != self._first.get(str(one.id).removeprefix(PREFIX), "") for one in self.query(Input)
        )

    def field(self, widget: Widget | None) -> FormField | None:
        """The field that a widget is, None for any other widget."""
        name = str(widget.id or "").removeprefix(PREFIX) if widget is not None else ""
        return next((one for one in self._form.fields if one.name == name), None)

    def can_choose(self, widget: Widget | None) -> bool:
        """Whether it is known what may stand there."""
        one = self.field(widget)
        return one is not None and bool(meaning(self._form, one))

    def on_input_changed(self) -> None:
        self.post_message(self.Changed(self))

    def on_input_submitted(self) -> None:
        self.screen.focus_next()

    # -- choosing ------------------------------------------------------------------------------

    def on_choice_field_choosing(self, message: ChoiceField.Choosing) -> None:
        one = self.field(message.field)
        if one is None:
            return
        answers, now = one.answers, self._answers[one.name]
        if len(answers) < 3:
            self._answer(one, message.field, answers[answers.index(now) - 1])
            return
        choices = [(answer, answer or one.default or AS_IT_IS) for answer in answers]
        prompt = ChoicePrompt(f"{one.label}: {one.help}", choices, at=now)
        self.app.push_screen(prompt, partial(self._answer, one, message.field))

    def _answer(self, one: FormField, field: ChoiceField, answer: str | None) -> None:
        if answer is not None:
            self._answers[one.name] = answer
            field.value = self._shown_answer(one)
            self.post_message(self.Changed(self))

    def _shown_answer(self, one: FormField) -> str:
        return self._answers[one.name] or one.default or AS_IT_IS

    def choose(self, widget: Widget | None) -> None:
        """Have what stands in a line chosen from what there is."""
        one = self.field(widget)
        if one is None or not isinstance(widget, Input):
            self.notify("There is nothing to choose from.", markup=False)
        else:
            run_worker(self.screen, partial(self._choose, one, widget), group="choose", exclusive=True)

    async def _choose(self, one: FormField, line: Input) -> None:
        """A folder that is chosen is looked into; of several one comes behind the other."""
        while True:
            known = await asyncio.to_thread(known_values, self._form, one, self.filled, self._store)
            if not known:
                self.notify(f"Nothing is known of {plain_text(one.label)}: type it.", markup=False)
                return
            prompt = PickPrompt(f"{one.label}: {one.help}", known)
            chosen = await self.app.push_screen_wait(prompt)
            if chosen is None:
                return
            line.value = f"{line.value} {shlex.quote(chosen)}".strip() if one.many else chosen
            line.cursor_position = len(line.value)
            if not (one.kind == "path" and chosen.endswith("/")):
                return
