"""Tabs and cross-process frames over DevTools sessions of the Selenium driver."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.driver import (
    FRAME_SECONDS,
    PERCEIVED,
    CdpSession,
    DriverDownload,
    DriverPage,
    FrameTarget,
    SheetTexts,
)
from webbench.core.browser.seeing.style_sheets import StyleSheets
from webbench.core.browser.selenium.input import SeleniumInput
from webbench.core.browser.selenium.websocket import WireSession
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.selenium.context import SeleniumContext

OPENING_SECONDS = 20.0
NESTED = [{"type": "iframe"}, {"type": "worker"}, {"exclude": True}]
"""What waits for us as it starts, of what a tab holds. A worker waits in any case."""


class SeleniumFrame:
    """A cross-process iframe: the driver's own session, and from `attach` on the one that is given out."""

    def __init__(self, own: WireSession, frame_id: str) -> None:
        self.own = own
        self.session: CdpSession = own
        self.frame_id = frame_id
        self.given: WireSession | None = None
        self.sheets: SheetTexts | None = StyleSheets(own, frame_id)


class SeleniumPage:
    """A `DriverPage`. Two sessions on its target: the driver's own, and the one that `attach` opens."""

    def __init__(self, context: SeleniumContext, own: WireSession, info: JsonObject) -> None:
        self.context = context
        self.own = own
        self.frame_id: str = info["targetId"]
        self.opener_id: str = info.get("openerId", "")
        self.session: CdpSession = own
        self.input: InputDevice = SeleniumInput(own)
        self.ready = asyncio.get_running_loop().create_future()
        self.attached = False
        self.refusal = ""
        self._url: str = info.get("url", "") or "about:blank"
        self._closed = False
        self._commands: Sequence[str] = PERCEIVED
        self._given: WireSession | None = None
        self._frames: dict[str, SeleniumFrame] = {}
        self._children: set[str] = {self.frame_id}
        self._attaching: dict[str, asyncio.Task[None]] = {}
        self._late: set[asyncio.Task[None]] = set()
        self._close_handlers: list[Callable[[], None]] = []
        self._crash_handlers: list[Callable[[], None]] = []
        self._download_handlers: list[Callable[[DriverDownload], None]] = []
        own.on("Page.frameNavigated", self._navigated)
        own.on("Page.navigatedWithinDocument", self._moved_within)
        own.on("Inspector.targetCrashed", self._crashed)
        self._follow(own)

    @property
    def url(self) -> str:
        return self._url

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def sessions(self) -> tuple[WireSession, ...]:
        """The driver's own: of the page and its cross-process frames."""
        return (self.own, *(frame.own for frame in self._frames.values()))

    def holds(self, frame_id: str) -> bool:
        """Whether a frame is one of this tab's."""
        return frame_id in self._children

    async def attach(self, commands: Sequence[str] = PERCEIVED) -> None:
        await self._opened()
        self._commands = commands
        self.session = self._given = await self._second_session(self.frame_id)
        self.attached = True

    async def frames(self) -> Sequence[FrameTarget]:
        for own, frame in self._frames.items():
            if own not in self._attaching:
                self._attaching[own] = asyncio.create_task(self._attach_frame(frame))
        coming = [task for task in self._attaching.values() if not task.done() and task not in self._late]
        if coming:
            _, late = await asyncio.wait(coming, timeout=FRAME_SECONDS)
            self._late |= late
        return [frame for frame in self._frames.values() if frame.given is not None]

    async def _attach_frame(self, frame: SeleniumFrame) -> None:
        with contextlib.suppress(ActionFailed, EnvironmentDown):
            frame.session = frame.given = await self._second_session(frame.frame_id)

    async def opener(self) -> DriverPage | None:
        return self.context.page(self.opener_id)

    async def close(self) -> None:
        gone = asyncio.Event()
        self.on_close(gone.set)
        if self._closed:
            return
        with contextlib.suppress(EnvironmentDown):
            await self.context.root.send("Target.closeTarget", {"targetId": self.frame_id})
        async with time_limit(OPENING_SECONDS):
            await gone.wait()

    def on_close(self, handler: Callable[[], None]) -> None:
        self._close_handlers.append(handler)

    def on_crash(self, handler: Callable[[], None]) -> None:
        self._crash_handlers.append(handler)

    def on_download(self, handler: Callable[[DriverDownload], None]) -> None:
        self._download_handlers.append(handler)

    def downloads(self, download: DriverDownload) -> None:
        for handler in self._download_handlers:
            handler(download)

    def gone(self) -> None:
        """The tab is no more."""
        if self._closed:
            return
        self._closed = True
        self._end_sessions("the tab was closed")
        if not self.ready.done():
            self.ready.set_result(None)
        for handler in tuple(self._close_handlers):
            handler()

    def frame_came(self, own: WireSession, info: JsonObject) -> SeleniumFrame:
        """A frame of this tab moved into a process of its own."""
        frame = SeleniumFrame(own, info["targetId"])
        own.on("Inspector.targetCrashed", self._crashed)
        self._frames[own.id] = frame
        self._follow(own)
        return frame

    def session_went(self, id: str) -> None:
        """A cross-process frame went away, or back into its parent's process."""
        frame = self._frames.pop(id, None)
        if frame is None:
            return
        if (attaching := self._attaching.pop(id, None)) is not None:
            attaching.cancel()
            self._late.discard(attaching)
        frame.own.end("the frame was detached")
        if frame.given is not None:
            frame.given.end("the frame was detached")

    async def _opened(self) -> None:
        async with time_limit(OPENING_SECONDS):
            await asyncio.shield(self.ready)
        if self._closed:
            raise EnvironmentDown("the page is gone: the tab was closed")

    async def _second_session(self, target: str) -> WireSession:
        try:
            answer = await self.context.root.send(
                "Target.attachToTarget", {"targetId": target, "flatten": True}
            )
        except WebbenchError as error:
            raise EnvironmentDown(f"the page is gone: {error.message}") from error
        session = self.context.session_of(answer["sessionId"])
        await asyncio.gather(*(session.send(method) for method in self._commands))
        return session

    def _follow(self, own: WireSession) -> None:
        own.on("Page.frameAttached", lambda event: self._children.add(event["frameId"]))
        own.on("Page.frameDetached", self._detached)

    def _detached(self, event: JsonObject) -> None:
        if event.get("reason") != "swap":
            self._children.discard(event["frameId"])

    def _navigated(self, event: JsonObject) -> None:
        if event["frame"]["id"] == self.frame_id:
            self._url = address_of(event["frame"])

    def _moved_within(self, event: JsonObject) -> None:
        if event["frameId"] == self.frame_id:
            self._url = event["url"]

    def _crashed(self, _: JsonObject) -> None:
        self._end_sessions("Target crashed")
        for handler in tuple(self._crash_handlers):
            handler()

    def _end_sessions(self, reason: str) -> None:
        for frame in tuple(self._frames):
            self.session_went(frame)
        for session in (self.own, self._given):
            if session is not None:
                session.end(reason)


def address_of(frame: JsonObject) -> str:
    return str(frame["url"]) + str(frame.get("urlFragment", ""))
