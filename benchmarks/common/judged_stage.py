"""The stage of a task on a live site that a judge scores: opened as it is, each step kept for the judge."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from webbench.benchmarks.common.blocked import PageSigns, Walls, read_signs
from webbench.benchmarks.common.noted_actions import NotedActions
from webbench.benchmarks.common.shown_to_judge import Shown, distinct_end
from webbench.core.action.action import Action, Remember, Say, Stop
from webbench.core.benchmark.benchmark import Stage
from webbench.core.benchmark.bundle import Bundle
from webbench.core.environment import Environment, EnvironmentSetup, StepResult, refuse_all
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.settings.load_settings import load_settings

MOST_ACTIONS = 500
"""Actions that a judge may be told of; far more than any episode has."""


class LiveSiteStage(Stage):
    """Notes actions, pictures and walls; the actor ends the episode, or a site that keeps it out."""

    scores_pictures = True

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.harmless = setup.request_filter is refuse_all
        self._noted = NotedActions(MOST_ACTIONS)
        self._pictures: list[tuple[int, str]] = []
        self._stopped = False
        self._own = {_site(address) for address in setup.start_urls}
        self._walls = Walls(self._is_own)

    async def acting(self, environment: Environment, action: Action) -> None:  # noqa: ARG002 - of the contract
        self._stopped = isinstance(action, Stop)

    async def acted(self, environment: Environment, result: StepResult) -> None:
        if not isinstance(result.action, Say | Remember):
            self._noted.note(result)
        signs = await self._look(environment)
        if signs is not None:
            self._walls.stepped(signs)

    async def _look(self, environment: Environment) -> PageSigns | None:
        """Note whether the page in front keeps visitors out; None where it can't be asked."""
        signs = await read_signs(environment)
        if signs is not None:
            self._walls.arrived(signs, _site(signs.url), signs.url)
        return signs

    def _is_own(self, site: str) -> bool:
        """Whether it is the site on which the task begins, or a part of it."""
        return any(site == own or site.endswith(f".{own}") for own in self._own if own)

    async def pictured(self, step: int, name: str) -> None:
        self._pictures.append((step, name))

    async def ended(self, observation: Observation) -> str:
        self._noted.look(observation)
        return self._walls.over

    async def evidence(self, environment: Environment, answer: str) -> JsonObject:
        """What a judge may be shown up to now, and the wall that kept the actor out."""
        await self._look(environment)
        shown = Shown(
            answer=answer,
            actions=self._noted.words,
            screenshots=distinct_end(self._pictures, stopped=self._stopped),
            wall=self._walls.wall,
        )
        return shown.evidence


async def collected(stage: Stage, environment: Environment, answer: str) -> JsonObject:
    """The evidence of an episode on a live site. Raises `UsageError` for a stage of another benchmark."""
    if not isinstance(stage, LiveSiteStage):
        raise UsageError("This evaluator needs a stage of a live site")
    return await stage.evidence(environment, answer)


def _site(address: str) -> str:
    """Host and port, "" where there is none."""
    try:
        return urlsplit(address).netloc.removeprefix("www.")
    except ValueError:
        return ""


@asynccontextmanager
async def live_site(start: str, bundle: Bundle | None) -> AsyncIterator[LiveSiteStage]:
    """The page at an address: the live web's, or that of the bundle's site which stands for its host.

    Raises `EnvironmentDown` where the bundle serves no such site.
    """
    if bundle is None:
        yield LiveSiteStage(EnvironmentSetup(start_urls=(start,), search=load_settings().search_engine))
        return
    parts = urlsplit(start)
    host = parts.hostname or ""
    async with bundle.open((host,)) as sites:
        if host not in sites.addresses:
            raise EnvironmentDown(f'the bundle "{bundle.name}" serves no site "{host}"')
        query = f"?{parts.query}" if parts.query else ""
        yield LiveSiteStage(
            EnvironmentSetup(
                start_urls=(f"{sites.addresses[host]}{parts.path or '/'}{query}",),
                request_filter=refuse_all,
                passthrough=sites.passthrough,
            )
        )
