"""A headed Chromium on a private display, with real mouse and keyboard on one tab."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from webbench.core.browser.desktop.desktop import SWITCHES, Desktop
from webbench.core.browser.driver import CdpSession
from webbench.core.browser.playwright.devtools import PlaywrightSession
from webbench.core.browser.starting.find_chromium import find_chromium
from webbench.core.browser.starting.switches import CHROMIUM_ARGUMENTS
from webbench.core.observation import Viewport


class Seat:
    """Where one sits before a page."""

    def __init__(self, desktop: Desktop, session: CdpSession) -> None:
        self.desktop = desktop
        self.session = session
        self.device = desktop.input(session)

    async def show(self, html: str) -> None:
        """This page, at the top, in the window's first place, nothing seen yet."""
        await self.session.send("Page.navigate", {"url": f"data:text/html;charset=utf-8,{quote(html)}"})
        assert await self.until("document.readyState === 'complete' && window.seen?.length === 0")
        await self.device.fit(Viewport())
        self.device.take_notes()

    async def evaluate(self, expression: str) -> Any:
        command = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        return (await self.session.send("Runtime.evaluate", command))["result"].get("value")

    async def until(self, condition: str) -> bool:
        for _ in range(100):
            if await self.evaluate(condition):
                return True
            await asyncio.sleep(0.02)
        return False

    async def seen(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.evaluate("window.seen")
        return found

    async def forget(self) -> None:
        await self.evaluate("void (window.seen.length = 0)")

    async def place(self, left: int, top: int) -> None:
        """Move the window."""
        window = await self.session.send("Browser.getWindowForTarget")
        bounds = {"left": left, "top": top}
        await self.session.send("Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": bounds})
        assert await self.until(f"screenX === {left} && screenY === {top}")

    async def leave_corner(self) -> None:
        """Move the pointer as a person would: PyAutoGUI refuses to."""
        code = (
            "from Xlib.display import Display as D; d = D(); d.screen().root.warp_pointer(500, 500); d.sync()"
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, env=self.desktop.display.environment()
        )
        assert await process.wait() == 0


@asynccontextmanager
async def seat(*arguments: str) -> AsyncIterator[Seat]:
    from playwright.async_api import async_playwright

    with tempfile.TemporaryDirectory(prefix="webbench-test-") as folder:
        desktop = await Desktop.open("", Path(folder))
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=str(find_chromium()),
                    headless=False,
                    args=[*CHROMIUM_ARGUMENTS, "--no-sandbox", *SWITCHES, *arguments],
                    env={**desktop.display.environment(), "TMPDIR": os.environ.get("TMPDIR", "/tmp")},
                )
                page = await (await browser.new_context(no_viewport=True)).new_page()
                session = PlaywrightSession(await page.context.new_cdp_session(page))
                await session.send("Page.enable")
                yield Seat(desktop, session)
                await browser.close()
        finally:
            await desktop.close()
