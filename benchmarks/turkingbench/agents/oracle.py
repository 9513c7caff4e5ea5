"""The oracle of TurkingBench: gives every field a gold label, by the browser actions that a person has.

It works as the paper's oracle does: wait for a field, scroll to it, modify it. What the fields are it
learns from the page's HTML, which it asks for like any agent may; fields that appear only after others
were answered are found when it looks again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from webbench.benchmarks.turkingbench.agents.answers import Answer, best_answer
from webbench.benchmarks.turkingbench.agents.form import FormField, form_fields
from webbench.benchmarks.turkingbench.fields import EXCLUDED_NAMES
from webbench.benchmarks.turkingbench.gold import labels_of
from webbench.core.action import (
    Action,
    Check,
    ElementRef,
    GetHtml,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.agents.contract import AgentView, Proposal
from webbench.core.observation import Observation
from webbench.core.task import Task

MOST_LOOKS = 6
"""How often it looks for fields that have appeared."""


class TurkingOracle:
    """Fills a task's form with gold labels and submits it.

    Attributes:
        failures: per field, why it could not be given its label.
    """

    name = "oracle"

    def __init__(self, task: Task) -> None:
        self._labels = labels_of(task.gold)
        self._plan: deque[tuple[str, Action]] = deque()
        self._current = ""
        self._filled: set[str] = set()
        self._looks = 0
        self._asked = False
        self._submitted = False
        self.failures: dict[str, str] = {}

    async def propose(self, view: AgentView) -> Proposal:
        if view.last_error and self._current:
            self.failures.setdefault(self._current, view.last_error)
        if self._asked:
            self._asked = False
            self._plan.extend(self._steps(form_fields(view.last_output), view.observation))
            if not self._plan:
                self._looks = MOST_LOOKS
        if self._plan:
            self._current, action = self._plan.popleft()
            return Proposal(action=action, reasoning=f'the field "{self._current}" has this gold label')
        self._current = ""
        if self._looks < MOST_LOOKS:
            self._looks += 1
            self._asked = True
            return Proposal(action=GetHtml(), reasoning="which fields does the page have now?")
        if not self._submitted:
            self._submitted = True
            return Proposal(action=Submit(), reasoning="every field that can be set is set")
        return Proposal(action=Stop(), reasoning="the form did not accept its submission")

    async def close(self) -> None:
        self._plan.clear()

    def _steps(self, fields: dict[str, FormField], observation: Observation) -> Iterator[tuple[str, Action]]:
        """Actions for the fields that show and were not filled yet, in page order."""
        shown = {name for node in observation.nodes if (name := node.attributes.get("name"))}
        for name, field in fields.items():
            labels = self._labels.get(name)
            if labels is None or name in self._filled or name in EXCLUDED_NAMES:
                continue
            if field.type in ("hidden", "submit") or field.readonly or name not in shown:
                continue
            self._filled.add(name)
            answer = best_answer(field, labels)
            if answer is not None:
                for action in _actions(field, answer):
                    yield name, action


def _actions(field: FormField, answer: Answer) -> Iterator[Action]:
    """How to leave the answer in the field; nothing where it is there from the start."""
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
        yield ScrollTo(target=_target(modifications[0]))
        yield from modifications


def _target(action: Action) -> ElementRef:
    assert isinstance(action, Check | Select | SetRange | Type)
    assert action.target is not None
    return action.target


def _option(field: FormField, value: str) -> ElementRef:
    return ElementRef(field=field.name, option=value)
