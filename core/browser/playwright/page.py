"""A tab as `DriverPage`, over Playwright."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.driver import (
    FRAME_SECONDS,
    PERCEIVED,
    CdpSession,
    DriverDownload,
    DriverPage,
    FrameTarget,
)
from webbench.core.browser.playwright.devtools import PlaywrightFrame, PlaywrightSession, translated
from webbench.core.browser.playwright.input import PlaywrightInput
from webbench.core.browser.playwright.sheets import FrameSheets
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json

if TYPE_CHECKING:
    from playwright.async_api import Download, Frame, Page


class PlaywrightPage:
    """One tab.

    Args:
        named: gives the one object of a page.
    """

    session: CdpSession
    frame_id: str

    def __init__(self, page: Page, named: Callable[[Page], DriverPage] | None = None) -> None:
        self.page = page
        self.input: InputDevice = PlaywrightInput(page)
        self._named = named or PlaywrightPage
        self._known: dict[Frame, asyncio.Task[PlaywrightFrame | None]] = {}
        self._sheets = FrameSheets(page)
        self._attached: PlaywrightSession | None = None
        page.on("crash", self._crashed)
        page.on("framenavigated", self._forget)
        page.on("framedetached", self._forget)

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def closed(self) -> bool:
        return self.page.is_closed()

    async def attach(self, commands: Sequence[str] = PERCEIVED) -> None:
        with translated("attach"):
            session = PlaywrightSession(await self.page.context.new_cdp_session(self.page))
        await session.enable(commands)
        tree = await session.send("Page.getFrameTree")
        self._attached = self.session = session
        self.frame_id = tree["frameTree"]["frame"]["id"]

    async def frames(self) -> Sequence[FrameTarget]:
        frames = [frame for frame in self.page.frames if frame != self.page.main_frame]
        fresh = [frame for frame in frames if frame not in self._known]
        for frame in fresh:
            self._known[frame] = asyncio.create_task(self._attach(frame))
        if fresh:
            await asyncio.wait([self._known[frame] for frame in fresh], timeout=FRAME_SECONDS)
        known = [task for frame in frames if (task := self._known.get(frame)) is not None]
        return [target for task in known if task.done() and (target := task.result()) is not None]

    async def opener(self) -> DriverPage | None:
        with translated("the tab's opener"):
            page = await self.page.opener()
        return None if page is None else self._named(page)

    async def close(self) -> None:
        with translated("closing the tab"):
            await self.page.close()

    def on_close(self, handler: Callable[[], None]) -> None:
        self.page.on("close", lambda _: handler())

    def on_crash(self, handler: Callable[[], None]) -> None:
        self.page.on("crash", lambda _: handler())

    def on_download(self, handler: Callable[[DriverDownload], None]) -> None:
        self.page.on("download", lambda download: handler(PlaywrightDownload(download)))

    async def _attach(self, frame: Frame) -> PlaywrightFrame | None:
        """The frame's own session, None where it lives in its parent's process (or went away)."""
        from playwright.async_api import Error

        try:
            session = PlaywrightSession(await self.page.context.new_cdp_session(frame))
        except Error:
            return None
        with contextlib.suppress(ActionFailed, EnvironmentDown):
            await session.enable(PERCEIVED)
            tree: Json = await session.send("Page.getFrameTree")
            frame_id = tree["frameTree"]["frame"]["id"]
            return PlaywrightFrame(session, frame_id, self._sheets.of(frame))
        return None

    def _crashed(self, _: Page) -> None:
        frames = [task.result() for task in self._known.values() if task.done() and not task.cancelled()]
        for session in (self._attached, *(frame.own for frame in frames if frame is not None)):
            if session is not None:
                session.end("Target crashed")

    def _forget(self, frame: Frame) -> None:
        self._known.pop(frame, None)


class PlaywrightDownload:
    """A `DriverDownload`."""

    def __init__(self, download: Download) -> None:
        self._download = download

    @property
    def name(self) -> str:
        return self._download.suggested_filename

    @property
    def url(self) -> str:
        return self._download.url

    async def save(self, place: Path) -> None:
        with translated("the download broke off"):
            await self._download.save_as(place)

    async def cancel(self) -> None:
        with translated("cancelling the download"):
            await self._download.cancel()
