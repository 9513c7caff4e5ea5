"""A task in the making: steps marked as key nodes, tried on their own recording, written as a task file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.benchmarks.common.task_file import listed_tasks, write_tasks
from webbench.benchmarks.webcanvas.acted import element_references
from webbench.benchmarks.webcanvas.recording import Recording
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.scoring.key_nodes import annotated_key_nodes, task_nodes
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome
from webbench.benchmarks.webcanvas.tasks import read_task
from webbench.benchmarks.webcanvas.upkeep.choices import Choice, answer_choices, choices
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

Verdict = Literal["holds", "early", "missed", "judge"]


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What a marked step comes to on its own recording.

    Attributes:
        verdict: "holds" = reached at its step; "early" = at an earlier one already, so that the step isn't
            needed for it; "missed" = never; "judge" = somebody has to decide.
        why: one sentence.
    """

    verdict: Verdict
    why: str


class Draft:
    """The choices of each step of a recording, and which of them are key nodes so far.

    Step numbers are those of `RecordedStep.number`; the answer at the end is the step after the last.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.marked: dict[int, Choice] = {}
        self._choices = {step.number: choices(step) for step in recording.steps}
        if recording.answer:
            last = recording.steps[-1].after if recording.steps else recording.start
            self._choices[len(recording.steps) + 1] = answer_choices(recording.answer, last)

    @property
    def numbers(self) -> Sequence[int]:
        """Every step, the answer included."""
        return tuple(self._choices)

    def choices(self, number: int) -> tuple[Choice, ...]:
        """What a step can be. Raises `UsageError` for a step that isn't there."""
        if number not in self._choices:
            known = f"steps run from 1 to {len(self._choices)}" if self._choices else "it has no steps"
            raise UsageError(f"The recording has no step {number}", known)
        return self._choices[number]

    def mark(self, number: int, choice: int = 0, reference: str = "") -> Choice:
        """Make the step a key node: its `choice` (from 0), with another reference where one is given.

        Raises `UsageError` where there is no such step or choice.
        """
        listed = self.choices(number)
        if not listed:
            raise UsageError(
                f"Step {number} can't be a key node", "it changes no address and acts on no element"
            )
        if not 0 <= choice < len(listed):
            raise UsageError(f"Step {number} has no choice {choice + 1}", f"there are {len(listed)}")
        chosen = listed[choice]
        self.marked[number] = msgspec.structs.replace(chosen, reference=reference) if reference else chosen
        return self.marked[number]

    def unmark(self, number: int) -> None:
        self.marked.pop(number, None)

    def trials(self) -> dict[int, Trial]:
        """Every marked step on its own recording."""
        numbers = sorted(self.marked)
        nodes = annotated_key_nodes({"evaluation": [self.marked[number].annotation() for number in numbers]})
        found = self.recording.outcomes(nodes)
        last = len(self.recording.steps)
        return {number: _trial(min(number, last), one) for number, one in zip(numbers, found, strict=True)}

    def annotation(self, index: str, intent: str) -> JsonObject:
        """The task as a task file has it. Raises `UsageError` where something is missing."""
        if not index.strip() or not intent.strip():
            raise UsageError("A task needs a name and a text", "say what the task asks for")
        if not self.marked:
            raise UsageError("A task needs a key node", "mark at least one step")
        return {
            "index": index.strip(),
            "task": intent.strip(),
            "reference_task_length": len(self.recording.steps),
            "evaluation": [self.marked[number].annotation() for number in sorted(self.marked)],
        }

    def score(self, task: Task) -> Score:
        """What the recording gets for a task."""
        events = self.recording.events(element_references(task_nodes(task)))
        steps: list[Json] = [msgspec.to_builtins(event) for event in events]
        evidence: JsonObject = {"steps": steps, "taken": len(self.recording.steps)}
        return WebCanvasEvaluator().score(task, evidence)

    def write(self, file: Path, index: str, intent: str) -> Score:
        """Add the task to a file, or put it in the place of the one with its index.

        Returns what the recording gets for the task as it was read back: 1, or pending where a judge
        decides. Raises `UsageError` where it gets less, and leaves the file alone then; `BadData` where the
        file holds something else; `WebbenchError` where it can't be written.
        """
        annotation = self.annotation(index, intent)
        score = self.score(read_task(json.loads(json.dumps(annotation))))
        if score.status is not Status.PENDING and score.value != 1:
            raise UsageError(f"The recording doesn't solve the task: {score.headline()}", _missing(score))
        listed = [one for one in listed_tasks(file) if not _is(one, annotation["index"])]
        write_tasks(file, [*listed, annotation])
        return score


def _trial(number: int, found: Outcome) -> Trial:
    if found.value >= 1:
        if found.step == number:
            return Trial(verdict="holds", why=f"reached at step {number}")
        if found.step < number:
            where = f"at step {found.step}" if found.step else "on the start page"
            return Trial(verdict="early", why=f"reached {where} already: whoever stops there meets it too")
        return Trial(verdict="holds", why=f"reached at step {found.step}, after this one")
    if found.questions:
        return Trial(verdict="judge", why="a judge decides whether it is reached")
    last = found.comparisons[-1].why if found.comparisons else "no step shows what it looks at"
    return Trial(verdict="missed", why=f"the recording itself doesn't reach it: {last}")


def _missing(score: Score) -> str:
    lines = [check for check in score.checks if check.target.startswith("key node")]
    return "; ".join(f"{line.target}: {line.why}" for line in lines if line.value != 1)


def _is(listed: Json, index: Json) -> bool:
    return isinstance(listed, dict) and str(listed.get("index")) == str(index)
