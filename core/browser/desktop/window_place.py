"""The browser's window on the display: its size, its place in front, and where its page is."""

from __future__ import annotations

import asyncio

from webbench.core.browser.desktop.calibration import Known, Mapping, PageEyes, calibrate
from webbench.core.browser.desktop.hand import Hand
from webbench.core.browser.driver import CdpSession
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Viewport

FIT_SECONDS = 8.0
"""In which a window on a busy display takes its size; only one that has no room needs them all."""
PAUSE = 0.02
CALM = 0.2
SIZE_HINT = "choose a viewport that is 500 px across at least and has room on the display"


class WindowPlace:
    """The window that shows one tab."""

    def __init__(self, session: CdpSession, hand: Hand, known: Known) -> None:
        self._session = session
        self._hand = hand
        self._eyes = PageEyes(session)
        self._known = known

    async def front(self, menu_open: bool) -> None:
        """Bring the tab and its window to the front, with the keyboard's focus.

        Not again while a menu hangs open from it: the window would be put over it.
        """
        if menu_open and self._hand.front is self:
            return
        await self._session.send("Page.bringToFront")
        self._hand.front = self

    async def mapping(self) -> Mapping:
        """Where the page is on the display; measured anew if its window has changed."""
        metrics = await self._eyes.metrics()
        if (known := self._known.of(metrics)) is not None:
            return known
        mapping = await calibrate(self._eyes, self._hand, metrics)
        if mapping.measured:
            self._known.learn(metrics, mapping)
            return mapping
        return self._known.like(metrics) or mapping

    async def size(self) -> tuple[int, int]:
        """Of the page in the window, CSS px."""
        metrics = await self._eyes.metrics()
        return round(metrics.inner_width), round(metrics.inner_height)

    async def zoom(self) -> float:
        """Of the page; the display's scale is none of it."""
        metrics = await self._eyes.metrics()
        return metrics.outer_width / max(metrics.inner_width, 1.0)

    async def fit(self, viewport: Viewport) -> None:
        """Make the window as large as the page must be. Raises `EnvironmentDown` where it can't be."""
        if viewport.device_pixel_ratio != 1:
            ratio: JsonObject = {"width": 0, "height": 0, "mobile": False}
            ratio["deviceScaleFactor"] = viewport.device_pixel_ratio
            await self._session.send("Emulation.setDeviceMetricsOverride", ratio)
        wanted = (viewport.width, viewport.height)
        deadline = _now() + FIT_SECONDS
        while (size := await self.size()) != wanted:
            if _now() > deadline:
                told = (
                    f"the window can't show a page of {wanted[0]} x {wanted[1]}, only {size[0]} x {size[1]}"
                )
                raise EnvironmentDown(told, SIZE_HINT)
            await self._resize(*wanted)
            await asyncio.sleep(PAUSE)

    async def maximize(self) -> None:
        """Fill the display. Without a window manager, which a private display lacks, by its size."""
        about = self._hand.about
        bounds: JsonObject = {"windowState": "maximized"}
        if self._hand.display.private:
            bounds = {"left": 0, "top": 0, "width": about.width, "height": about.height}
        await self._set_bounds(bounds)
        deadline = _now() + FIT_SECONDS
        before = None
        while (size := await self.size()) != before and _now() < deadline:
            before = size
            await asyncio.sleep(CALM)

    async def _resize(self, width: int, height: int) -> None:
        metrics = await self._eyes.metrics()
        await self._set_bounds(
            {
                "width": round(metrics.outer_width + width - metrics.inner_width),
                "height": round(metrics.outer_height + height - metrics.inner_height),
            }
        )

    async def _set_bounds(self, bounds: dict[str, Json]) -> None:
        window = await self._session.send("Browser.getWindowForTarget")
        await self._session.send(
            "Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": bounds}
        )


def _now() -> float:
    return asyncio.get_running_loop().time()
