"""A task on any page made live: the page is opened as it is, and what is done there is noted for a judge."""

from __future__ import annotations

from webbench.benchmarks.common.noted_actions import NotedActions
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment, EnvironmentSetup, StepResult
from webbench.core.observation import Observation
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task

MOST_STEPS = 60


class PageStage(Stage):
    """Notes the latest steps in words; only the actor ends the episode."""

    def __init__(self, task: Task) -> None:
        self.setup = EnvironmentSetup(
            start_urls=(str(task.data["start"]),), search=load_settings().search_engine
        )
        self.judged = bool(task.data.get("judged"))
        self._noted = NotedActions(MOST_STEPS)

    @property
    def steps(self) -> tuple[str, ...]:
        """The latest ones, each with its number."""
        return tuple(f"{n}. {words}" for n, words in enumerate(self._noted.words, self._noted.first))

    async def acted(self, environment: Environment, result: StepResult) -> None:  # noqa: ARG002
        self._noted.note(result)

    async def ended(self, observation: Observation) -> str:
        self._noted.look(observation)
        return ""
