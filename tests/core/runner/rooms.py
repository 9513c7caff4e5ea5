"""A benchmark without a browser, whose agents and evaluator do what their task's name says.

"quick" stops at once; "hangs" never answers; "breaks" and "throws" raise, as agent and as evaluator; "dear"
costs a dollar; "slow" waits until it is let go on; "twice" hangs
at the first attempt alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from webbench.core.action.action import Action, Stop
from webbench.core.agent import Agent, AgentView, Proposal
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, SiteUse, Stage
from webbench.core.environment import Environment, EnvironmentSetup, SecondPage, StepResult
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.observation import Observation, ObservationOptions, Screenshot, ScreenshotOptions
from webbench.core.score.score import Score, Status
from webbench.core.task import Task, TaskEntry


class Room(Environment):
    """An empty world."""

    async def reset(self, setup: EnvironmentSetup) -> None:
        """It was always like this."""

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        return Observation(viewport_only=options.viewport_only)

    async def screenshot(self, options: ScreenshotOptions = ScreenshotOptions()) -> Screenshot | None:
        return None

    async def act(self, action: Action) -> StepResult:
        return StepResult(action=action)

    async def probe(self, script: str, argument: Json = None) -> Json:
        raise EnvironmentDown("there is no page")

    def second_page(self) -> AbstractAsyncContextManager[SecondPage]:
        raise EnvironmentDown("there is no page")

    async def close(self) -> None:
        """Nothing to give back."""


class RoomStage(Stage):
    def __init__(self, task: Task) -> None:
        self.task = task
        self.setup = EnvironmentSetup()
        self.environment = Room()

    async def ended(self, observation: Observation) -> str:
        return ""


class RoomAgent:
    """Does what the task's name says."""

    name = "oracle"

    def __init__(self, task: Task, rooms: Rooms) -> None:
        self._kind = task.name.partition("-")[0]
        self._task = task
        self._rooms = rooms

    async def propose(self, view: AgentView) -> Proposal:
        self._rooms.tries[self._task.name] += 1
        self._rooms.together.append(frozenset(self._rooms.inside))
        if self._kind == "breaks":
            raise ZeroDivisionError("a fault in the agent")
        if self._kind == "hangs" or (self._kind == "twice" and self._rooms.tries[self._task.name] == 1):
            await asyncio.Event().wait()
        if self._kind == "slow":
            await self._rooms.go_on.wait()
        usage: JsonObject = {"cost": 1.0, "input_tokens": 10} if self._kind == "dear" else {}
        return Proposal(action=Stop(answer=self._task.name), usage=usage)

    async def close(self) -> None:
        """Nothing to give back."""


class Judged:
    """Full marks for who comes to an end; "throws" has a fault."""

    name, version = "rooms", "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        return {"answer": answer}

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        if task.name.startswith("throws"):
            raise ZeroDivisionError("a fault in the evaluator")
        return Score(status=Status.SCORED, value=1.0, rules=rules)


class Rooms:
    """The benchmark; `inside` are the tasks that are being played, `together` what was seen of that."""

    name = title = "rooms"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = ("published",)
    step_limit = 10
    browserless = True

    def __init__(self, *names: str, uses: Mapping[str, SiteUse] | None = None) -> None:
        self.evaluator = Judged()
        self.inside: set[str] = set()
        self.together: list[frozenset[str]] = []
        self.tries: Counter[str] = Counter()
        self.go_on = asyncio.Event()
        self._names = names
        self._uses = uses or {}

    def status(self) -> BenchmarkStatus:
        return BenchmarkStatus("ready")

    def splits(self) -> Sequence[str]:
        return ()

    def catalogue(self) -> Sequence[TaskEntry]:
        return [TaskEntry(benchmark=self.name, name=name) for name in self._names]

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        return [Task(benchmark=self.name, name=name) for name in self._names]

    def problems(self) -> Sequence[Problem]:
        return ()

    def site_uses(self, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
        return self._uses

    @asynccontextmanager
    async def stage(self, task: Task) -> AsyncIterator[Stage]:
        self.inside.add(task.name)
        try:
            yield RoomStage(task)
        finally:
            self.inside.discard(task.name)

    def oracle(self, task: Task) -> Agent:
        return RoomAgent(task, self)
