"""One Chromium tab as the product reads it, without the rest of the product."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from webbench.core.browser.launch import CHROMIUM_ARGUMENTS, find_chromium
from webbench.core.browser.playwright.page import PlaywrightPage

if TYPE_CHECKING:
    from playwright.async_api import Browser

LOCAL = ("file:", "data:", "http://127.0.0.1", "http://localhost")


@asynccontextmanager
async def bare(*arguments: str, able: bool = True) -> AsyncIterator[Browser]:
    """A Chromium; `able` gives scripts the computed roles and names."""
    from playwright.async_api import async_playwright

    flags = CHROMIUM_ARGUMENTS if able else CHROMIUM_ARGUMENTS[1:]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(find_chromium()), args=[*flags, "--no-sandbox", *arguments]
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def tab_of(browser: Browser) -> AsyncIterator[PlaywrightPage]:
    """A tab of 1280x720 in a context of its own, which reaches no network."""
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    try:
        await context.route(
            lambda url: not url.startswith(LOCAL) and ".localhost:" not in url,
            lambda route: route.abort(),
        )
        page = PlaywrightPage(await context.new_page())
        await page.attach()
        yield page
    finally:
        await context.close()


@asynccontextmanager
async def tab(*arguments: str, able: bool = True) -> AsyncIterator[PlaywrightPage]:
    """Such a tab in a Chromium of its own."""
    async with bare(*arguments, able=able) as browser, tab_of(browser) as page:
        yield page
