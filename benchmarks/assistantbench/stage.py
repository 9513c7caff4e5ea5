"""Where a question is answered: the open web from a search engine's page, or a bundle's own small web."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from webbench.benchmarks.assistantbench.search_page import SearchPage, api_of, search_page
from webbench.core.action.action import Action
from webbench.core.benchmark.benchmark import Stage
from webbench.core.benchmark.bundle import Bundle
from webbench.core.environment import Environment, EnvironmentSetup, refuse_all
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.observation import Observation
from webbench.core.settings.load_settings import load_settings
from webbench.core.time_limit import time_limit

PROBE_SECONDS = 5.0
SEARCH = "search"
"""The site of a bundle that is its search engine: it opens on a search form and answers /?q=."""


class WebStage(Stage):
    """Starts at a search engine's page; only the actor ends the episode.

    Args:
        own: the search page of a search API, if that is where it starts: it is none of the web.

    Attributes:
        reached: a page of the web was open at some time, or the search API has answered.
    """

    def __init__(self, setup: EnvironmentSetup, own: SearchPage | None = None) -> None:
        self.setup = setup
        self._own = own
        self.harmless = setup.request_filter is refuse_all
        self.reached = False

    async def acting(self, environment: Environment, action: Action) -> None:
        await self.look(environment)

    async def look(self, environment: Environment) -> None:
        """Note whether a page is open, until one was."""
        if not self.reached:
            with suppress(EnvironmentDown, TimeoutError):
                async with time_limit(PROBE_SECONDS):
                    origin = await environment.probe("() => location.origin")
                is_own = self._own is not None and origin == self._own.origin
                self.reached = str(origin).startswith("http") and not is_own
        if self._own is not None and self._own.answered:
            self.reached = True

    async def ended(self, observation: Observation) -> str:
        return ""


@asynccontextmanager
async def open_web() -> AsyncIterator[WebStage]:
    """The live web, from the page of the search engine, or over the search API, that the settings name."""
    settings = load_settings()
    if settings.search_api:
        with search_page(api_of(settings)) as page:
            setup = EnvironmentSetup(start_urls=(page.address,), search=f"{page.address}?q={{query}}")
            yield WebStage(setup, page)
        return
    template = settings.search_engine
    yield WebStage(EnvironmentSetup(start_urls=(home(template),), search=template))


@asynccontextmanager
async def bundled_web(bundle: Bundle) -> AsyncIterator[WebStage]:
    """The bundle's own sites, and nothing else."""
    async with bundle.open() as sites:
        if SEARCH not in sites.addresses:
            raise BadData(f'the bundle "{bundle.name}" has no site named "{SEARCH}" to start from')
        engine = sites.addresses[SEARCH]
        yield WebStage(
            EnvironmentSetup(
                start_urls=(f"{engine}/",),
                search=f"{engine}/?q={{query}}",
                request_filter=refuse_all,
                passthrough=sites.passthrough,
            )
        )


def home(template: str) -> str:
    """The search engine's own page."""
    parts = urlsplit(template)
    return f"{parts.scheme}://{parts.netloc}/"
