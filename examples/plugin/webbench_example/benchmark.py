"""A benchmark of two questions over three pages that come with the package."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.environment import Environment, EnvironmentSetup, refuse_all
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task, TaskEntry
from webbench_example.agent import LookItUp

PAGES = Path(__file__).parent / "pages"
COLOURS = {"fox": "red", "otter": "brown"}
TASKS = tuple(
    Task(
        benchmark="cards",
        name=animal,
        intent=f"Which colour is on the card of the {animal}?",
        split="all",
        site="cards",
        kind="question",
        gold={"answer": colour},
    )
    for animal, colour in COLOURS.items()
)


class CardStage(Stage):
    """The pages are files: nothing to serve, nothing to reset; nothing else is reached."""

    setup = EnvironmentSetup(
        start_urls=((PAGES / "index.html").as_uri(),),
        request_filter=refuse_all,
        passthrough=(PAGES.as_uri(),),
    )


class AnswerEvaluator:
    """The answer is right or wrong, whatever its case."""

    name = "cards"
    version = "1"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        return {"answer": answer}

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        given, wanted = str(evidence.get("answer", "")), str(task.gold.get("answer", ""))
        normalised = given.strip().casefold()
        value = float(normalised == wanted)
        check = Check(
            name="colour",
            target="answer",
            actual=given,
            normalised=normalised,
            expected=wanted,
            value=value,
            why="the same colour" if value else "another colour" if given else "no answer was given",
        )
        return Score(status=Status.SCORED, value=value, rules=rules, combination="one check", checks=(check,))


class Cards:
    """What the library, the stepper and `run` need of a benchmark."""

    name = "cards"
    title = "Cards (example plug-in)"
    dialect = "plain"
    rule_sets = ("published",)
    step_limit = 10
    evaluator = AnswerEvaluator()

    def status(self) -> BenchmarkStatus:
        return BenchmarkStatus("ready", f"{len(TASKS)} tasks over pages of its own")

    def splits(self) -> Sequence[str]:
        return ("all",)

    def catalogue(self) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                benchmark=self.name, name=task.name, intent=task.intent, split=task.split, site=task.site
            )
            for task in TASKS
        ]

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        require_split(split, self.splits(), self.name)
        require_names(names, {task.name for task in TASKS}, self.name)
        return [task for task in TASKS if not names or task.name in names]

    def problems(self) -> Sequence[Problem]:
        return ()

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        @asynccontextmanager
        async def staged() -> AsyncIterator[Stage]:
            yield CardStage()

        return staged()

    def oracle(self, task: Task) -> Agent:
        return LookItUp()


def create(data: Path | None = None) -> Cards:
    """The entry point; `data` is the folder that --data names, of which this benchmark has no need."""
    return Cards()
