"""One Chromium tab as the product reads it, without the rest of the product."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.starting.launch import CHROMIUM_ARGUMENTS, find_chromium


@asynccontextmanager
async def tab(*arguments: str, able: bool = True) -> AsyncIterator[PlaywrightPage]:
    """A tab of 1280x720 that reaches no network; `able` gives scripts the computed roles and names."""
    from playwright.async_api import async_playwright

    flags = CHROMIUM_ARGUMENTS if able else CHROMIUM_ARGUMENTS[1:]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(find_chromium()), args=[*flags, "--no-sandbox", *arguments]
        )
        try:
            context = await browser.new_context(viewport={"width": 1280, "height": 720})
            await context.route(
                lambda url: not url.startswith(("file:", "data:", "http://127.0.0.1", "http://localhost")),
                lambda route: route.abort(),
            )
            page = PlaywrightPage(await context.new_page())
            await page.attach()
            yield page
        finally:
            await browser.close()
