"""A task on any page made live: the page is opened as it is, and what is done there is noted for a judge."""

from __future__ import annotations

from webbench.core.action.words import action_words
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment, EnvironmentSetup, StepResult
from webbench.core.observation import Observation
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.passwords import typed_secret
from webbench.core.task import Task
from webbench.core.trajectory import Step

MOST_STEPS = 60
LONGEST_STEP = 300


class PageStage(Stage):
    """Notes the latest steps in words; only the actor ends the episode."""

    def __init__(self, task: Task) -> None:
        self.setup = EnvironmentSetup(
            start_urls=(str(task.data["start"]),), search=load_settings().search_engine
        )
        self.judged = bool(task.data.get("judged"))
        self._steps: list[str] = []
        self._taken = 0
        self._seen = Observation()

    @property
    def steps(self) -> tuple[str, ...]:
        """The latest ones, each with its number."""
        return tuple(self._steps)

    async def acted(self, environment: Environment, result: StepResult) -> None:  # noqa: ARG002
        action = result.action
        self._taken += 1
        hidden = typed_secret(Step(index=0, at="", action=action), self._seen)
        words = "type a password" if hidden else action_words(action)
        told = f"{self._taken}. {words}" + (f" (failed: {result.error})" if result.error else "")
        self._steps = [*self._steps, told[:LONGEST_STEP]][-MOST_STEPS:]

    async def ended(self, observation: Observation) -> str:
        self._seen = observation
        return ""
