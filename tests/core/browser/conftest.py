"""A tab of a Chromium that keeps sites apart, and two sites to be kept apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.core.browser.sites import Sites, two_sites
from tests.performance.chromium import bare, tab_of
from webbench.core.browser.playwright.page import PlaywrightPage


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def keeps_sites_apart() -> AsyncIterator[Browser]:
    """One for all tests of reading: to start it costs more than most of them."""
    async with bare("--site-per-process") as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def page(keeps_sites_apart: Browser) -> AsyncIterator[PlaywrightPage]:
    async with tab_of(keeps_sites_apart) as target:
        yield target


@pytest.fixture
def sites() -> Iterator[Sites]:
    with two_sites() as running:
        yield running
