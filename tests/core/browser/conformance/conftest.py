"""One world per way of driving a browser, in browsers that all tests of the suite share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from tests.displays import need_xvfb
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser, LaunchOptions, launch

WAYS = {
    "playwright": LaunchOptions(),
    "selenium": LaunchOptions(driver="selenium"),
    "playwright+desktop": LaunchOptions(input="desktop"),
    "selenium+desktop": LaunchOptions(driver="selenium", input="desktop"),
}


class Fleet:
    """A browser for each way, started when it is first asked for."""

    def __init__(self, playwright: Browser, stack: AsyncExitStack) -> None:
        self._browsers = {"playwright": playwright}
        self._stack = stack

    async def browser(self, way: str) -> Browser:
        if WAYS[way].input == "desktop":
            need_xvfb()
        if way not in self._browsers:
            self._browsers[way] = await self._stack.enter_async_context(launch(WAYS[way]))
        return self._browsers[way]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def fleet(chromium: Browser) -> AsyncIterator[Fleet]:
    async with AsyncExitStack() as stack:
        yield Fleet(chromium, stack)


def ways(*by_default: str, without: str = "") -> list[object]:
    """Parameters of a fixture: these are tried by every run, the others by `make thorough`."""
    return [
        pytest.param(way, marks=() if way in by_default else pytest.mark.thorough)
        for way in WAYS
        if way != without
    ]


@pytest.fixture(params=ways("selenium", "playwright+desktop"))
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=ways("selenium", "playwright+desktop", without="playwright"))
def other_way(request: pytest.FixtureRequest) -> str:
    """All but the one that the others are compared with."""
    return str(request.param)


@pytest_asyncio.fixture(loop_scope="session")
async def world(fleet: Fleet, way: str) -> AsyncIterator[BrowserEnvironment]:
    """An environment driven that way."""
    environment = (await fleet.browser(way)).environment()
    yield environment
    await environment.close()


@pytest_asyncio.fixture(loop_scope="session", params=("playwright", "selenium", "playwright+desktop"))
async def each_hand(fleet: Fleet, request: pytest.FixtureRequest) -> AsyncIterator[BrowserEnvironment]:
    """An environment of each kind of mouse and keyboard."""
    environment = (await fleet.browser(request.param)).environment()
    yield environment
    await environment.close()


@pytest_asyncio.fixture(loop_scope="session", params=("playwright", "selenium"))
async def driven(fleet: Fleet, request: pytest.FixtureRequest) -> AsyncIterator[BrowserEnvironment]:
    """An environment of each driver, with the browser's own mouse and keyboard."""
    environment = (await fleet.browser(request.param)).environment()
    yield environment
    await environment.close()


@pytest_asyncio.fixture(loop_scope="session")
async def other(fleet: Fleet, other_way: str) -> AsyncIterator[BrowserEnvironment]:
    """An environment driven in that way."""
    environment = (await fleet.browser(other_way)).environment()
    yield environment
    await environment.close()
