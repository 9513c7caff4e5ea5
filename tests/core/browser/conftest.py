"""A tab of a Chromium that keeps sites apart, and two sites to be kept apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.core.browser.sites import Sites, two_sites
from tests.performance.chromium import tab_of
from webbench.core.browser.playwright.page import PlaywrightPage


@pytest_asyncio.fixture(loop_scope="session")
async def page(playwright_chromium: Browser) -> AsyncIterator[PlaywrightPage]:
    async with tab_of(playwright_chromium) as target:
        yield target


@pytest.fixture
def sites() -> Iterator[Sites]:
    with two_sites() as running:
        yield running
