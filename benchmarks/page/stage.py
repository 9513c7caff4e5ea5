"""A task on any page made live: the page is opened as it is, and what is done there is noted for a judge."""

from __future__ import annotations

from webbench.benchmarks.common.noted_actions import NotedActions
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment, EnvironmentSetup, ExchangeLog, StepResult
from webbench.core.exchange.account.recorded_counts import MOST_ON_THE_WAY
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task
from webbench.core.text.addresses import without_secrets
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

MOST_STEPS = 60
LONGEST_ADDRESS = 2_000
"""Characters; every step holds its addresses anew."""

READING_SECONDS = 0.2


class PageStage(Stage):
    """Notes the latest steps in words; only the actor ends the episode."""

    def __init__(self, task: Task) -> None:
        self.setup = EnvironmentSetup(
            start_urls=(str(task.data["start"]),),
            search=load_settings().search_engine,
            exchanges=ExchangeLog(bare=True),
        )
        self.judged = bool(task.data.get("judged"))
        self._noted = NotedActions(MOST_STEPS)

    async def network(self) -> JsonObject:
        """What was asked of the network so far, without secrets that stand in addresses.

        On the way it is the first of it, and nothing where that isn't told at once: every step holds it anew.
        An episode that somebody ends from outside, while scores are shown on the way, has no more of it.
        """
        if self.setup.exchanges is None:
            return {}
        within = None if self.thorough else READING_SECONDS
        try:
            async with time_limit(within):
                exchanges = await self.setup.exchanges.read()
        except TimeoutError:
            return {}
        events: list[Json] = [
            {"method": one.method, "url": _shown(one.url), "status": one.status}
            for one in (exchanges if self.thorough else exchanges[:MOST_ON_THE_WAY])
        ]
        return {"har_events": events} if events else {}

    @property
    def steps(self) -> tuple[str, ...]:
        """The latest ones, each with its number."""
        return tuple(f"{n}. {words}" for n, words in enumerate(self._noted.words, self._noted.first))

    async def acted(self, environment: Environment, result: StepResult) -> None:
        self._noted.note(result)

    async def ended(self, observation: Observation) -> str:
        self._noted.look(observation)
        return ""


def _shown(address: str) -> str:
    """An address without what is no part of the request, and without secrets."""
    return plain_clip(without_secrets(address.partition("#")[0]), LONGEST_ADDRESS)
