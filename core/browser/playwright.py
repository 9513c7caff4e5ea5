"""DevTools sessions and tabs over Playwright: what `driver.py` asks of a browser driver."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from webbench.core.browser.driver import CdpSession, FrameTarget
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json, JsonObject

if TYPE_CHECKING:
    from playwright.async_api import CDPSession as DriverSession
    from playwright.async_api import Frame, Page

COMMAND_TIMEOUT = 60.0
DOMAINS = ("Page.enable", "Runtime.enable", "Accessibility.enable")


class PlaywrightSession:
    """A `CdpSession` over Playwright's."""

    def __init__(self, session: DriverSession) -> None:
        self._session = session

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        from playwright.async_api import Error

        try:
            answer: JsonObject = await asyncio.wait_for(self._session.send(method, params), COMMAND_TIMEOUT)
        except TimeoutError as error:
            raise ActionFailed(f"the page did not answer {method} within {COMMAND_TIMEOUT:.0f} s") from error
        except Error as error:
            raise _translated(error, method) from error
        return answer

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        self._session.on(event, lambda parameters: handler(parameters or {}))

    async def enable(self) -> None:
        """Turn on the domains that every session given out promises, in one flight."""
        await asyncio.gather(*(self.send(method) for method in DOMAINS))


class PlaywrightFrame:
    """A cross-process iframe."""

    def __init__(self, session: PlaywrightSession, frame_id: str, url: str) -> None:
        self.session: CdpSession = session
        self.frame_id = frame_id
        self.url = url


class PlaywrightPage:
    """A `PageTarget`: one tab, its session opened before anything could hang it.

    `frame_id` is the main frame's id, which Chromium also uses as the id of the tab's target.
    """

    def __init__(self, page: Page, session: PlaywrightSession, frame_id: str) -> None:
        self.page = page
        self.session: CdpSession = session
        self.frame_id = frame_id
        self._known: dict[Frame, PlaywrightFrame | None] = {}
        page.on("framenavigated", self._forget)
        page.on("framedetached", self._forget)

    @classmethod
    async def open(cls, page: Page) -> PlaywrightPage:
        """Attach to a tab. Raises `EnvironmentDown` if it is gone already."""
        from playwright.async_api import Error

        try:
            session = PlaywrightSession(await page.context.new_cdp_session(page))
        except Error as error:
            raise _translated(error, "attach") from error
        await session.enable()
        tree = await session.send("Page.getFrameTree")
        return cls(page, session, tree["frameTree"]["frame"]["id"])

    async def frames(self) -> Sequence[FrameTarget]:
        frames = [frame for frame in self.page.frames if frame != self.page.main_frame]
        unknown = [frame for frame in frames if frame not in self._known]
        for frame, target in zip(
            unknown, await asyncio.gather(*(self._attach(frame) for frame in unknown)), strict=True
        ):
            self._known[frame] = target
        return [target for frame in frames if (target := self._known.get(frame)) is not None]

    async def _attach(self, frame: Frame) -> PlaywrightFrame | None:
        """The frame's own session, None where it lives in its parent's process (or went away)."""
        from playwright.async_api import Error

        try:
            session = PlaywrightSession(await self.page.context.new_cdp_session(frame))
        except Error:
            return None
        with contextlib.suppress(ActionFailed, EnvironmentDown):
            await session.enable()
            tree: Json = await session.send("Page.getFrameTree")
            return PlaywrightFrame(session, tree["frameTree"]["frame"]["id"], frame.url)
        return None

    def _forget(self, frame: Frame) -> None:
        self._known.pop(frame, None)


def first_line(error: Exception) -> str:
    """The first line of a driver error, which says what happened; the rest is its call log."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _translated(error: Exception, method: str) -> ActionFailed | EnvironmentDown:
    text = first_line(error)
    gone = ("has been closed", "Target crashed", "Connection closed", "was detached")
    if any(words in text for words in gone):
        return EnvironmentDown(f"the page is gone: {text}")
    return ActionFailed(f"{method}: {text}")
