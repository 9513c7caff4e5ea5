"""TurkingBench's evaluation as it was printed: a run of the published code with a text model.

A task begins with `starting new task`, an instance with `instance_id: N <-> row_number: M`, a field with
`starting a new element`; then come the model's response, the code taken from it, and why that failed. Behind
the last field stand the fields' scores and the instance's. Colours are escape sequences; a log may end
anywhere. Source: the project's repository, JHU-CLSP.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.benchmarks.turkingbench.recorded.former_names import present_name
from webbench.benchmarks.turkingbench.recorded.log_lines import Entry, entries
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import RECORD_ENDS, STOPPED, foreign_header, numbered
from webbench.core.exchange.foreign_terms import RULES, action_of, score_of_checks
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.score.score import Check, Score, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = DIALECT = "turkingbench"
LONGEST_ACTION = 4000
MOST_STEPS = 20_000
LONGEST_SHOWN = 2000
"""Characters of an answer, or of the list of gold answers."""
CALL = "self.actions."


class ConsoleLog:
    name = "turkingbench-log"
    title = "TurkingBench's console logs"
    looks_like = "a text log: Solver, starting new task, instance_id and row_number, starting a new element"

    def claim(self, place: Place) -> Claim | None:
        return Claim() if place.has_text("starting new task:", "instance_id:", "row_number:") else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        solver, task = "", ""
        instance: Instance | None = None
        for entry in entries(place):
            if entry.kind in ("solver", "task", "instance") and instance is not None:
                yield instance.episode()
                instance = None
            _count(entry, instance is not None, place.tally)
            if entry.kind == "solver":
                solver = entry.text
            elif entry.kind == "task":
                task = entry.text
            elif entry.kind == "instance":
                instance = Instance(solver, task, entry.text, place.tally.losses())
            elif instance is not None:
                instance.add(entry)
        if instance is not None:
            yield instance.episode()


_KINDS: dict[str, tuple[Kind, ...]] = {
    "instance": ("episodes",),
    "element": ("steps", "notes"),
    "response": ("replies", "reasoning"),
    "executing": ("actions",),
    "score": ("scores",),
}


def _count(entry: Entry, inside: bool, tally: Tally) -> None:
    """Entries by what they begin with; a field's score is a check of the episode's."""
    for kind in _KINDS.get(entry.kind, ()) if inside or entry.kind == "instance" else ():
        tally.count(kind, bool(entry.text) or entry.kind != "response")
    if entry.kind in ("task", "solver"):
        tally.value(entry.kind, entry.text)


def create() -> ConsoleLog:
    """The entry point."""
    return ConsoleLog()


class Instance:
    """What a log tells of one instance."""

    def __init__(self, solver: str, task: str, row: str, lost: Lost) -> None:
        self._solver, self._task, self._row = solver, task, row
        self._steps: list[Step] = []
        self._checks: list[Check] = []
        self._about = self._expected = self._answer = ""
        self._total: float | None = None
        self._lost = lost

    def add(self, entry: Entry) -> None:
        match entry.kind:
            case "element" if len(self._steps) >= MOST_STEPS:
                self._lost.append(f"what comes after {MOST_STEPS:,} steps of one instance")
            case "element":
                self._steps.append(Step(index=0, at="", actor="agent", note=f"field {entry.text}"))
            case "response":
                self._change(reasoning=entry.text, reply=entry.text)
            case "skipped" if self._steps and not self._about:
                self._change(note=f"{self._steps[-1].note}: left out, as it is not visible")
            case "executing":
                self._execute(entry.text)
            case "failed":
                self._change(ok=False, error=entry.text)
            case "evaluating":
                self._about, self._expected, self._answer = entry.text, "", ""
            case "expected":
                self._expected = entry.text[:LONGEST_SHOWN]
            case "answer":
                self._answer = entry.text[:LONGEST_SHOWN]
            case "field score" if self._about:
                self._checks.append(self._check(float(entry.text)))
            case "score":
                self._total = float(entry.text)

    def _change(self, **fields: str | bool) -> None:
        if self._steps:
            self._steps[-1] = msgspec.structs.replace(self._steps[-1], **fields)

    def _execute(self, code: str) -> None:
        """The first call is the action; what stands around it made the published code fail."""
        if not self._steps:
            return
        first = next((line.strip() for line in code.splitlines() if line.strip().startswith(CALL)), "")
        action = action_of(first, DIALECT) if first else None
        if action is None:
            self._lost.lose("actions", "a response without a call is kept as text")
        text = first or code[:LONGEST_ACTION]
        self._steps[-1] = msgspec.structs.replace(self._steps[-1], text=text, dialect=DIALECT, action=action)

    def episode(self) -> ImportedEpisode:
        if self._total is None:
            self._lost.append("the log ends before the instance was scored")
        row = int(self._row) if self._row.isdecimal() and len(self._row) < 9 else None
        header = foreign_header(
            Task(benchmark=BENCHMARK, name=present_name(self._task), instance=row),
            self._solver,
            dialect=DIALECT,
            score=self._score(),
            end_reason=STOPPED if self._total is not None else RECORD_ENDS,
            settings={"logged_name": self._task},
        )
        start = Step(index=0, at="", actor="operator")
        return ImportedEpisode(header, numbered(map(ImportedStep, [start, *self._steps])), self._lost)

    def _check(self, value: float) -> Check:
        return Check(
            name="recorded",
            target=self._about,
            actual=self._answer,
            expected=self._expected,
            value=value,
            why="as the log says",
        )

    def _score(self) -> Score:
        checks = tuple(self._checks)
        if self._total is None:
            return not_scored("the log ends before the instance was scored", rules=RULES, checks=checks)
        return score_of_checks(
            self._total,
            "TurkingBench's published code",
            checks,
            combination=f"mean of {len(checks)} fields, as recorded",
        )
