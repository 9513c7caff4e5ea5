"""Tasks, and the contract that a benchmark implements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec

from webbench.core.action import Action
from webbench.core.agents.contract import Agent
from webbench.core.environment import Environment, EnvironmentSetup, StepResult
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge.contract import Question
from webbench.core.observation import Observation
from webbench.core.plain_text import plain_clip
from webbench.core.score import Score


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be done, as plain data that a trajectory can keep.

    Attributes:
        benchmark: name of its benchmark.
        name: the benchmark's own task name; several instances may share it.
        instance: number of the instance within `name`, None where tasks have none.
        intent: what the actor is asked to do.
        site, kind, template: what people filter by.
        data: inputs and anything else the environment needs.
        gold: what the evaluator compares with; never shown to an actor.
    """

    benchmark: str
    name: str
    instance: int | None = None
    intent: str = ""
    split: str = ""
    site: str = ""
    kind: str = ""
    template: str = ""
    data: JsonObject = {}
    gold: JsonObject = {}

    @property
    def id(self) -> str:
        """Unique within the benchmark: "name" or "name#instance"."""
        return self.name if self.instance is None else f"{self.name}#{self.instance}"


def name_and_instance(id: str) -> tuple[str, int | None]:
    """What an id is made of: "picture-labels#3" is instance 3; without a number after a "#" it is a name."""
    name, _, number = id.rpartition("#")
    if name and number.isascii() and number.isdecimal():
        return name, int(number)
    return id, None


class TaskEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a task list: cheap to make, no instance is read for it."""

    benchmark: str
    name: str
    intent: str = ""
    split: str = ""
    site: str = ""
    kind: str = ""
    template: str = ""
    instances: int | None = None
    """How many instances it has; None where tasks have none."""
    problem: str = ""
    """Why it can't be used, "" where it can."""
    parts: tuple[str, ...] = ()
    """Further splits that it is in: named subsets of its own."""

    @property
    def splits(self) -> tuple[str, ...]:
        """All that it is in, its own first."""
        return (self.split, *self.parts)


Severity = Literal["note", "warning", "error"]


LONGEST_PROBLEM = 700
"""Characters of a problem's message; data may hold texts of any length, and it quotes them."""


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a data set; loading went on."""

    where: str
    """File, or file:line."""
    message: str
    """One line."""
    severity: Severity = "warning"

    def __post_init__(self) -> None:
        if len(self.message) > LONGEST_PROBLEM or "\n" in self.message:
            msgspec.structs.force_setattr(self, "message", plain_clip(self.message, LONGEST_PROBLEM))


class BenchmarkStatus(msgspec.Struct, frozen=True):
    state: Literal["ready", "needs data", "needs sites"]
    detail: str = ""
    """What is there, or how to get what is missing."""


class Stage(Protocol):
    """A task made live: pages served, state reset. Subclass it to get the hooks that do nothing.

    Attributes:
        setup: how the browser opens it.
        environment: the stage's own world, where the task isn't acted on in a browser; None = a browser.
        sites: address by name of the sites that outlive the episode, and that others see its changes on.
        thorough: the next evidence is collected for a score that counts, not just shown on the way: set
            before the last one, and where a person asks for it. What takes long may wait for it.
        harmless: what is done on its sites harms nobody: they are there for the task alone. The guard then
            asks for no confirmation, unless the settings say so.
        secrets: texts, such as passwords, that the episode's record must not hold.
        warnings: what is to be known of the episode once it is ready; recorded with it.
    """

    setup: EnvironmentSetup
    environment: Environment | None = None
    sites: Mapping[str, str] = {}
    thorough: bool = False
    harmless: bool = False
    secrets: Sequence[str] = ()
    warnings: Sequence[str] = ()

    async def ready(self) -> None:
        """Called once its sites are as the episode shall find them, before `setup` is used: sign in here.

        May raise `EnvironmentDown`.
        """
        return

    async def acting(self, environment: Environment, action: Action) -> None:  # noqa: ARG002
        """Called with the page as the action finds it, for a `Stop` too. Never raises."""
        return

    async def acted(self, environment: Environment, result: StepResult) -> None:  # noqa: ARG002
        """Called when an action is done, before anything is observed or scored. Never raises.

        A `Stop` does nothing, so it isn't called for one.
        """
        return

    async def ended(self, observation: Observation) -> str:
        """Why the page itself ended the episode ("the form was submitted"), or ""."""


class Evaluator(Protocol):
    """Evidence is collected from a live page without disturbing it; scoring it is a pure function."""

    name: str
    version: str

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """Read what the score needs: JSON that is recorded with the step."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        """What a judge has to be asked before `score` can be given, without what was answered already.

        Empty where rules alone decide. Answers may lead to further questions, so ask until it is empty.
        """

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """Score evidence offline. Never raises: trouble is `Status.ERROR` with a reason."""


class Benchmark(Protocol):
    """What every benchmark family offers; found through the entry point group `webbench.benchmarks`.

    The entry point is a callable `create(data: Path | None) -> Benchmark` that imports nothing slow. One
    that gives up on agents in further ways than by `step_limit` says so with `limits`, an
    `episode_limits.Limits`.
    """

    name: str
    title: str
    dialect: str
    """Name of its own action language."""
    rule_sets: tuple[str, ...]
    step_limit: int

    @property
    def evaluator(self) -> Evaluator: ...

    def status(self) -> BenchmarkStatus: ...

    def splits(self) -> Sequence[str]: ...

    def catalogue(self) -> Sequence[TaskEntry]:
        """Every task in file order, for a list that opens at once."""

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks in file order; `instances` keeps the first so many of each name.

        Raises `UsageError` for an unknown split or name, naming the nearest valid ones.
        """

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the installed data; empty when clean."""

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        """Serve and reset what the task needs; left when the episode ends."""

    def oracle(self, task: Task) -> Agent:
        """An agent that solves the task through ordinary browser actions."""


@runtime_checkable
class KeepsOpen(Protocol):
    """What a `Benchmark` may offer besides, where its stages share something that takes time to begin."""

    def kept_open(self) -> AbstractAsyncContextManager[object]:
        """Held by whoever plays many episodes, from the first to the last."""


def needs_browser(benchmark: Benchmark) -> bool:
    """False where it says with `browserless = True` that all its stages bring a world of their own."""
    return not getattr(benchmark, "browserless", False)


def ends_by_submitting(benchmark: Benchmark, task: Task) -> bool:
    """Whether a task usually ends with a form that is sent, by the benchmark's method of this name.

    Without one its tasks end when the actor stops, with an answer or without.
    """
    asked = getattr(benchmark, "ends_by_submitting", None)
    return bool(asked(task)) if asked is not None else False


def unachievable_answer(benchmark: Benchmark) -> str:
    """The answer that tells that a task can't be done, by the benchmark's attribute of this name.

    Without one nothing is to be answered then.
    """
    return str(getattr(benchmark, "unachievable_answer", ""))


class BenchmarkFactory(Protocol):
    def __call__(self, data: Path | None = None) -> Benchmark: ...


__all__ = [
    "Action",
    "Benchmark",
    "BenchmarkFactory",
    "BenchmarkStatus",
    "Evaluator",
    "Json",
    "KeepsOpen",
    "Problem",
    "Severity",
    "Stage",
    "Task",
    "TaskEntry",
    "ends_by_submitting",
    "needs_browser",
    "unachievable_answer",
]
