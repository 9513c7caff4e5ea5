"""A tab of a Chromium of its own that keeps sites apart, and two sites to be kept apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.core.browser.sites import Sites, two_sites
from tests.performance.chromium import tab
from webbench.core.browser.playwright.page import PlaywrightPage


@pytest_asyncio.fixture
async def page() -> AsyncIterator[PlaywrightPage]:
    async with tab("--site-per-process") as target:
        yield target


@pytest.fixture
def sites() -> Iterator[Sites]:
    with two_sites() as running:
        yield running
