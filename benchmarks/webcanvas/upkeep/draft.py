"""A task in the making: steps marked as key nodes, tried on their own recording, as a task file has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from webbench.benchmarks.common.demonstrated_task import ListedCheck, Wording
from webbench.benchmarks.webcanvas.acted import element_references
from webbench.benchmarks.webcanvas.recording import Recording, read_recording
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.scoring.key_nodes import annotated_key_nodes, looked_for
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome
from webbench.benchmarks.webcanvas.tasks import NAME, is_address, read_task
from webbench.benchmarks.webcanvas.upkeep.choices import Choice, answer_choices, choices
from webbench.core.agents.reference import REFERENCE_ACTIONS
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.plural import counted
from webbench.core.trajectory import Trajectory

Verdict = Literal["holds", "early", "missed", "judge"]
_NODE = re.compile(r"(?P<step>[0-9]{1,4})(?:\.(?P<choice>[0-9]{1,3}))?(?:=(?P<reference>.+))?", re.DOTALL)


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
        start = self.recording.start
        return {
            "index": index.strip(),
            "task": intent.strip(),
            **({"start": start} if is_address(start) else {}),
            "reference_task_length": len(self.recording.steps),
            "evaluation": [self.marked[number].annotation() for number in sorted(self.marked)],
        }

    def score(self, task: Task) -> Score:
        """What the recording gets for a task."""
        events = self.recording.events(element_references(looked_for(task)))
        steps: list[Json] = [msgspec.to_builtins(event) for event in events]
        evidence: JsonObject = {"steps": steps, "taken": len(self.recording.steps)}
        return WebCanvasEvaluator().score(task, evidence)


def with_alternative(written: JsonObject, draft: Draft, instead_of: Sequence[int], note: str) -> JsonObject:
    """A written task with the marked steps of another demonstration as an alternative.

    The same alternative, by its nodes, is replaced. Raises `UsageError` for key nodes that the task hasn't,
    and where no step is marked; `BadData` where the task is none.
    """
    count = len(annotated_key_nodes(written))
    numbers = sorted(set(instead_of))
    if not numbers or numbers[0] < 1 or numbers[-1] > count:
        raise UsageError(
            f"The task has {counted(count, 'key node')}, and not those", f"number them from 1 to {count}"
        )
    if not draft.marked:
        raise UsageError("An alternative needs a node", "mark at least one step with --check")
    nodes = [draft.marked[number].annotation() for number in sorted(draft.marked)]
    added: JsonObject = {
        "instead_of": list(numbers),
        **({"note": note.strip()} if note.strip() else {}),
        "evaluation": nodes,
        REFERENCE_ACTIONS: draft.recording.actions(),
    }
    kept = [
        one
        for one in written.get("alternatives", [])
        if not (isinstance(one, dict) and (one.get("instead_of"), one.get("evaluation")) == (numbers, nodes))
    ]
    return written | {"alternatives": [*kept, added]}


class WebCanvasShape:
    """See `TaskShape`: checks are steps that are key nodes, `3`, `3.2` or `3.2=REFERENCE`."""

    benchmark = NAME
    key = "index"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recordings: dict[str, Recording] = {}

    def listed(self, shown: Trajectory) -> Sequence[ListedCheck]:
        draft = Draft(self._recording(shown))
        return [
            ListedCheck(
                pick=f"{number}.{place}",
                looks_at=one.function,
                wanted=f"{one.key}={one.reference}" if one.key else one.reference,
                why=one.why,
            )
            for number in draft.numbers
            for place, one in enumerate(draft.choices(number), start=1)
        ]

    def entry(self, shown: Trajectory, wording: Wording, checks: Sequence[str]) -> JsonObject:
        draft, actions = self._draft(shown, checks), self._recording(shown).actions()
        return draft.annotation(wording.name, wording.intent) | {REFERENCE_ACTIONS: actions}

    def alternative(
        self,
        written: JsonObject,
        shown: Trajectory,
        checks: Sequence[str],
        instead_of: Sequence[int],
        note: str = "",
    ) -> JsonObject:
        """The written task with what is picked of another demonstration in place of those key nodes.

        Raises `UsageError` for checks or key nodes that can't be, `BadData` where the task is none.
        """
        return with_alternative(written, self._draft(shown, checks), instead_of, note)

    def score(self, entry: JsonObject, shown: Trajectory) -> Score:
        return Draft(self._recording(shown)).score(read_task(entry))

    def doubts(self, shown: Trajectory, checks: Sequence[str]) -> Iterator[str]:
        for number, trial in self._draft(shown, checks).trials().items():
            if trial.verdict in ("early", "judge"):
                yield f"key node of step {number}: {trial.why}"

    def _draft(self, shown: Trajectory, checks: Sequence[str]) -> Draft:
        draft = Draft(self._recording(shown))
        for check in checks:
            read = _NODE.fullmatch(check.strip())
            if read is None:
                raise UsageError(f'"{check}" is no step', "write 3, or 3.2, or 3.2=REFERENCE")
            choice = int(read["choice"]) - 1 if read["choice"] else 0
            draft.mark(int(read["step"]), choice, read["reference"] or "")
        return draft

    def _recording(self, shown: Trajectory) -> Recording:
        name = shown.header.episode
        if name not in self._recordings:
            self._recordings[name] = read_recording(shown, self._store)
        return self._recordings[name]


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
