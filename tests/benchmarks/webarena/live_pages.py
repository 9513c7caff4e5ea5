"""A page of Playwright's as the part of a `SecondPage` that locating needs."""

from __future__ import annotations

from typing import Any

from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright.browser import PlaywrightBrowser
from webbench.core.browser.playwright.devtools import translated
from webbench.core.errors import ActionFailed, EnvironmentDown


class LivePage:
    def __init__(self, page: Any) -> None:
        self.page = page

    @property
    def url(self) -> str:
        return str(self.page.url)

    async def goto(self, url: str) -> None:
        try:
            with translated(url):
                await self.page.goto(url)
        except ActionFailed as error:
            raise EnvironmentDown(error.message) from error

    async def content(self) -> str:
        return str(await self.page.content())

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        with translated("evaluating"):
            return await self.page.evaluate(function, argument)

    async def beside(self) -> LivePage:
        return LivePage(await self.page.context.new_page())

    async def close(self) -> None:
        await self.page.close()


async def new_context(browser: Browser) -> Any:
    """A context of Playwright's own in the running browser."""
    running = await browser.connected()
    assert isinstance(running, PlaywrightBrowser)
    return await running.browser.new_context()
