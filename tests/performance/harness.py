"""A browser that is read as WebArena's harness reads it, for comparison.

Its recipe (`browser_env/processors.py` of web-arena-x/webarena): a layout snapshot and the full accessibility
tree, then for every node of the tree its element and its rectangle, a call after the other; with every
observation a screenshot by Playwright's own call.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.browser.launch_options import LaunchOptions
from webbench.core.browser.playwright_page import PlaywrightPage
from webbench.core.browser.settle import Patience
from webbench.core.errors import ActionFailed
from webbench.core.observation import Observation, ObservationOptions, Screenshot, ScreenshotOptions

LAYOUT = {"computedStyles": [], "includeDOMRects": True, "includePaintOrder": True}
RECTANGLE = """function() {
  const place = this instanceof Element ? this : document.createRange();
  if (place !== this) place.selectNodeContents(this);
  const { x, y, width, height } = place.getBoundingClientRect();
  return [x, y, width, height];
}"""


class HarnessEnvironment(BrowserEnvironment):
    """Acts as ours does; observes in that way, and then in ours, of which the agent learns what it does."""

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        page = self._readable()
        if page is not None:
            with contextlib.suppress(ActionFailed):
                await read_in_calls(page.session)
        return await super().observe(options)

    async def screenshot(self, options: ScreenshotOptions = ScreenshotOptions()) -> Screenshot | None:
        page = self._readable()
        if page is None:
            return None
        size = self._setup.viewport
        return Screenshot(await page.page.screenshot(), "png", size.width, size.height, 1.0, False)

    def _readable(self) -> PlaywrightPage | None:
        tabs = self._tabs
        if tabs is None or tabs.dialogs or tabs.active is None or tabs.active.gone:
            return None
        return cast("PlaywrightPage", tabs.active.page)


class HarnessBrowser(Browser):
    def environment(self, patience: Patience = Patience()) -> BrowserEnvironment:
        return HarnessEnvironment(self, patience)


@asynccontextmanager
async def harness_browser() -> AsyncIterator[Browser]:
    """A new one, as `launch` gives ours."""
    browser = HarnessBrowser(LaunchOptions())
    try:
        await browser.connected()
        yield browser
    finally:
        await browser.close()


async def read_in_calls(session: CdpSession) -> int:
    """How many nodes there were."""
    await session.send("DOMSnapshot.captureSnapshot", dict(LAYOUT))
    tree = await session.send("Accessibility.getFullAXTree")
    numbers = dict.fromkeys(node["backendDOMNodeId"] for node in tree["nodes"] if "backendDOMNodeId" in node)
    for number in numbers:
        with contextlib.suppress(ActionFailed):
            answer = await session.send("DOM.resolveNode", {"backendNodeId": number})
            call = {"objectId": answer["object"]["objectId"], "functionDeclaration": RECTANGLE}
            await session.send("Runtime.callFunctionOn", {**call, "returnByValue": True})
    return len(numbers)
