"""The oracle of TurkingBench: gives every field a gold label, by the browser actions that a person has.

It works as the paper's oracle does: wait for a field, scroll to it, modify it. What the fields are it
learns from the page's HTML, which it asks for like any agent may; fields that appear only after others
were answered, or with the next step of a form whose steps are submitted, are found when it looks again.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from webbench.benchmarks.turkingbench.agents.best_labels import Answer, best_answer
from webbench.benchmarks.turkingbench.agents.form import FormField, form_fields
from webbench.benchmarks.turkingbench.scoring.fields import EXCLUDED_NAMES
from webbench.benchmarks.turkingbench.scoring.gold import labels_of
from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Check,
    Click,
    ElementRef,
    GetHtml,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.agent import AgentView, Proposal
from webbench.core.observation import Observation
from webbench.core.task import Task

UNFOLDS = re.compile(r"\bclick (here )?to (show|expand|open|see|view|reveal)\b", re.IGNORECASE)
"""Texts of controls that show more of the form."""

SUBMITS = re.compile(r"\s*submit\b", re.IGNORECASE)

Noted = Callable[[AgentView], None]


class TurkingOracle:
    """Fills a task's form with gold labels and submits it.

    Attributes:
        failures: per field, why it could not be given its label.
    """

    name = "oracle"

    def __init__(self, task: Task) -> None:
        self._labels = labels_of(task.gold)
        self._plan: deque[tuple[str, Action]] = deque()
        self._filled: set[str] = set()
        self._unfolded: set[str] = set()
        self._has_seen_all = False
        self._submitted = False
        self._pressed = False
        self._proposed = Proposal()
        self._note_taken: Noted = _nothing
        self.failures: dict[str, str] = {}

    async def propose(self, view: AgentView) -> Proposal:
        """The next action. What was rejected, or replaced by a person's own step, is proposed again."""
        if view.carried.proposal is self._proposed:
            self._note_taken(view)
            self._note_taken = _nothing
        self._proposed, self._note_taken = self._next(view.observation)
        return self._proposed

    def _next(self, observation: Observation) -> tuple[Proposal, Noted]:
        """A proposal, and what is known as soon as it was carried out."""
        if observation.dialog is not None:
            return Proposal(
                action=AnswerDialog(accept=True), reasoning="the page waits for an answer"
            ), _nothing
        if self._plan:
            field, action = self._plan[0]
            why = f'a gold label of "{field}"' if field else "there is more of the form"
            return Proposal(action=action, reasoning=why), self._note_planned
        if not self._has_seen_all:
            return Proposal(
                action=GetHtml(), reasoning="which fields does the page have now?"
            ), self._note_look
        if not self._submitted:
            return Proposal(
                action=Submit(), reasoning="every field that can be set is set"
            ), self._note_submitted
        button = _submit_button(observation)
        if button is not None and not self._pressed:
            why = "another button says that it submits"
            return Proposal(action=Click(target=button), reasoning=why), self._note_pressed
        return Proposal(action=Stop(), reasoning="the form did not accept its submission"), _nothing

    def _note_planned(self, view: AgentView) -> None:
        field, _ = self._plan.popleft()
        if field and view.carried.error:
            self.failures.setdefault(field, view.carried.error)

    def _note_look(self, view: AgentView) -> None:
        """Behind a dialog no field shows: then it looks again."""
        if view.observation.dialog is None:
            self._look(form_fields(view.carried.output), view.observation)

    def _note_submitted(self, _: AgentView) -> None:
        self._submitted, self._has_seen_all = True, False

    def _note_pressed(self, _: AgentView) -> None:
        self._pressed, self._has_seen_all = True, False

    async def close(self) -> None:
        self._plan.clear()

    def _look(self, fields: dict[str, FormField], observation: Observation) -> None:
        """Plan for the fields that are there now, else unfold more of the form, else have done."""
        open_fields = [
            field
            for name, field in fields.items()
            if name in self._labels and name not in self._filled and name not in EXCLUDED_NAMES
            if field.type not in ("hidden", "submit") and not field.readonly
        ]
        shown = {name for node in observation.nodes if (name := node.attributes.get("name"))}
        for field in open_fields:
            if field.name in shown:
                self._filled.add(field.name)
                self._fill(field)
        if not self._plan and any(field.name not in shown for field in open_fields):
            self._plan.extend(("", action) for action in self._unfold(observation))
        self._has_seen_all = not self._plan
        if self._plan:
            self._submitted = self._pressed = False

    def _fill(self, field: FormField) -> None:
        answer = best_answer(field, self._labels[field.name])
        if answer is not None:
            self._plan.extend((field.name, action) for action in answer_actions(field, answer))

    def _unfold(self, observation: Observation) -> Iterator[Action]:
        for node in observation.nodes:
            if UNFOLDS.search(node.name) and node.name not in self._unfolded and node.role != "StaticText":
                self._unfolded.add(node.name)
                yield Click(target=ElementRef(id=node.id))


def _nothing(_: AgentView) -> None:
    """There is nothing to remember."""


def _submit_button(observation: Observation) -> ElementRef | None:
    """The enabled button that is called "Submit", where the form's first one only turns its pages."""
    for node in observation.nodes:
        if node.role == "button" and SUBMITS.match(node.name) and not node.states.get("disabled"):
            return ElementRef(id=node.id)
    return None


def answer_actions(field: FormField, answer: Answer) -> Iterator[Action]:
    """How to leave the answer in the field, after scrolling to it; nothing where it is there already."""
    target = ElementRef(field=field.name)
    if field.type == "checkbox":
        changed = [
            option for option in field.options if (option in answer.values) != (option in field.ticked)
        ]
        modifications: list[Action] = [
            Check(target=_option(field, option), checked=option in answer.values)
            for option in dict.fromkeys(changed)
        ]
    elif field.type == "radio":
        modifications = [Check(target=_option(field, option)) for option in answer.values]
    elif field.type == "select":
        modifications = [Select(target=target, options=answer.values)]
    elif field.type == "range":
        modifications = [SetRange(target=target, value=float(answer.values[0]))]
    else:
        modifications = [Type(target=target, text=answer.values[0])]
    if modifications:
        yield ScrollTo(target=target)
        yield from modifications


def _option(field: FormField, value: str) -> ElementRef:
    return ElementRef(field=field.name, option=value, role="radio" if field.type == "radio" else "")
