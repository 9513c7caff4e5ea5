"""A page in a real Chromium that recorded HTML is shown in."""

from __future__ import annotations

import os
import shutil
from typing import Any

from playwright.async_api import Browser, Page, Playwright, async_playwright

from tests.parity.compare import NotHere

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class BrowserPage:
    """Offers `probe` as an environment does."""

    def __init__(self, playwright: Playwright, browser: Browser, page: Page) -> None:
        self._playwright = playwright
        self._browser = browser
        self._page = page

    @classmethod
    async def open(cls) -> BrowserPage:
        """Raises `NotHere` on a machine without a browser."""
        named = os.environ.get("WEBBENCH_CHROMIUM", "")
        executable = named or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
        if executable is None:
            raise NotHere("no Chromium on this machine")
        playwright = await async_playwright().start()
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        return cls(playwright, browser, await browser.new_page())

    async def show(self, html: str, script: str) -> None:
        """Load HTML, then run a script in it."""
        await self._page.set_content(html)
        if script:
            await self._page.evaluate(script)

    async def probe(self, script: str, argument: Any = None) -> Any:
        return await self._page.evaluate(script, argument)

    async def close(self) -> None:
        await self._browser.close()
        await self._playwright.stop()
