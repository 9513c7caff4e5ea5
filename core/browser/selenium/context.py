"""A browser context over DevTools: its tabs as they come and go, and what each is prepared with."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from webbench.core.browser.driver import (
    ACCURACY,
    CdpSession,
    ContextOptions,
    DriverDialog,
    DriverPage,
    DriverRequest,
)
from webbench.core.browser.seeing.style_sheets import NETWORK_BUFFERS
from webbench.core.browser.selenium.dialog import SeleniumDialog
from webbench.core.browser.selenium.downloads import Downloads
from webbench.core.browser.selenium.fetch_filter import RequestDoor
from webbench.core.browser.selenium.page import NESTED, SeleniumFrame, SeleniumPage
from webbench.core.browser.selenium.requests import Requests
from webbench.core.browser.selenium.storage_state import preload, state_of
from webbench.core.browser.selenium.websocket import Wire, WireSession
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.selenium.webdriver_session import WebDriverSession
    from webbench.core.environment import NetworkAnswer, NetworkRequest

OPENING_SECONDS = 20.0
WORKER = "worker"
CLOSE_SECONDS = 5.0
FAMILIES: JsonObject = {"fontFamilies": {"fixed": "Monospace"}}
"""What a whole Chromium has from its preferences, and Playwright gives a headless shell."""

Decide = Callable[["NetworkRequest"], Awaitable["NetworkAnswer"]]


class SeleniumContext:
    """A `DriverContext`; made by `SeleniumBrowser`, which hands it the targets that appear in it."""

    def __init__(
        self, wire: Wire, root: WireSession, id: str, options: ContextOptions, downloads: Downloads
    ) -> None:
        self.wire = wire
        self.root = root
        self.session: CdpSession = root
        self.id = id
        self.options = options
        self.downloads = downloads
        self.user_agent = ""
        self.windowless = False
        self.webdriver: WebDriverSession | None = None
        self.session_of: Callable[[str], WireSession] = partial(WireSession, wire)
        self._arrival = asyncio.Event()
        self._pages: dict[str, SeleniumPage] = {}
        self._owners: dict[str, SeleniumPage] = {}
        self._page_handlers: list[Callable[[DriverPage], None]] = []
        self._dialog_handlers: list[Callable[[DriverDialog], None]] = []
        self._requests = Requests()
        self._door: RequestDoor | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_closed: list[Callable[[], Awaitable[None]]] = []
        downloads.find_page = self._page_of

    @property
    def connected(self) -> bool:
        """Whether its browser still runs and answers us."""
        return not self.wire.lost

    def on_page(self, handler: Callable[[DriverPage], None]) -> None:
        self._page_handlers.append(handler)

    def on_dialog(self, handler: Callable[[DriverDialog], None]) -> None:
        self._dialog_handlers.append(handler)

    def on_request(self, handler: Callable[[DriverRequest], None]) -> None:
        self._requests.on_begun(handler)

    def on_finished(self, handler: Callable[[DriverRequest], None]) -> None:
        self._requests.on_finished(handler)

    async def guard(self, asked_about: re.Pattern[str], decide: Decide) -> None:
        if not self.wire.holds_requests:
            raise EnvironmentDown(
                "this node gives no DevTools connection, so no request can be held for the task's filter",
                "let its Grid pass WebSockets on, or play this task elsewhere",
            )
        self._door = RequestDoor(asked_about, decide, self.go)

    @property
    def pages(self) -> Sequence[DriverPage]:
        return tuple(self._pages.values())

    async def new_page(self) -> DriverPage:
        return await self.opened_page()

    async def opened_page(self) -> SeleniumPage:
        answer = await self.root.send(
            "Target.createTarget", {"url": "about:blank", "browserContextId": self.id}
        )
        try:
            async with time_limit(OPENING_SECONDS):
                while (page := self._pages.get(answer["targetId"])) is None:
                    self._arrival.clear()
                    await self._arrival.wait()
                await asyncio.shield(page.ready)
        except TimeoutError as error:
            raise EnvironmentDown("the new tab did not open in time") from error
        if page.refusal:
            raise EnvironmentDown(f"the new tab could not be prepared: {page.refusal}")
        return page

    def page(self, target: str) -> SeleniumPage | None:
        return self._pages.get(target)

    async def load_state(self, state: JsonObject) -> None:
        """Begin with these cookies and local storage, as `ContextOptions` has them."""
        await preload(self, state)

    async def storage_state(self) -> JsonObject:
        return await state_of(self, self._pages.values())

    def at_close(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do this too when the context is closed."""
        self._on_closed.append(work)

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        try:
            with contextlib.suppress(WebbenchError, TimeoutError):
                command = self.root.send("Target.disposeBrowserContext", {"browserContextId": self.id})
                async with time_limit(CLOSE_SECONDS):
                    await command
        finally:  # also where nobody waits for its end
            self.lost()
            self.downloads.sweep()
            for work in self._on_closed:
                await work()

    def lost(self) -> None:
        """The browser ended: so did all tabs."""
        for page in tuple(self._pages.values()):
            self.target_went(page.own.id)

    def go(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the events that come in; what a vanished page refuses is forgotten."""
        task = asyncio.create_task(_unless_gone(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def target_came(self, own: WireSession, info: JsonObject) -> None:
        """A tab appeared; it waits until it is prepared."""
        page = SeleniumPage(self, own, info)
        self._pages[page.frame_id] = self._owners[own.id] = page
        self._arrival.set()
        self._listen(page, own)
        own.on("Page.javascriptDialogOpening", lambda event: self._dialog(page, event))
        self.go(self._prepare(page))

    def worker_came(self, own: WireSession) -> None:
        """A worker appeared; it waits until its requests are asked about."""
        if self._door is not None:
            self._door.watch(own)
        self.go(self._prepare_worker(own))

    def target_went(self, session: str) -> None:
        page = self._owners.pop(session, None)
        if page is not None:
            self._pages.pop(page.frame_id, None)
            page.gone()

    def _page_of(self, frame_id: str) -> SeleniumPage | None:
        """The tab that a frame belongs to; a tab that nobody attached to stands for its opener."""
        page = next((page for page in self._pages.values() if page.holds(frame_id)), None)
        if page is not None and not page.attached:
            return self._pages.get(page.opener_id) or page
        return page

    def _listen(self, page: SeleniumPage, own: WireSession) -> None:
        """What the driver follows in a tab and in each of its cross-process frames."""
        own.on("Target.attachedToTarget", lambda event: self._part_came(page, event))
        own.on("Target.detachedFromTarget", lambda event: page.session_went(event["sessionId"]))
        self._requests.follow(page, own)
        if self._door is not None:
            self._door.watch(own)

    def _part_came(self, page: SeleniumPage, event: JsonObject) -> None:
        """A frame in a process of its own, or a worker."""
        own = WireSession(self.wire, event["sessionId"])
        if event["targetInfo"]["type"] == WORKER:
            own.on("Target.attachedToTarget", lambda nested: self._part_came(page, nested))
            self.worker_came(own)
            return
        frame = page.frame_came(own, event["targetInfo"])
        self._listen(page, own)
        self.go(self._prepare_frame(frame))

    def _dialog(self, page: SeleniumPage, event: JsonObject) -> None:
        dialog = SeleniumDialog(page, event)
        for handler in self._dialog_handlers:
            handler(dialog)

    async def _prepare(self, page: SeleniumPage) -> None:
        """Everything at once, in order: the tab goes on only after the last command."""
        try:
            page.refusal = await self._sent(page.own, [*self._size(), *self._common()])
        finally:
            if not page.ready.done():
                page.ready.set_result(None)
        if not page.closed:
            for handler in self._page_handlers:
                handler(page)

    def _size(self) -> list[tuple[str, JsonObject]]:
        viewport = self.options.viewport
        metrics = {
            "width": viewport.width,
            "height": viewport.height,
            "screenWidth": viewport.width,
            "screenHeight": viewport.height,
            "deviceScaleFactor": viewport.device_pixel_ratio,
            "mobile": False,
        }
        return [] if self.options.windowed else [("Emulation.setDeviceMetricsOverride", metrics)]

    async def _prepare_frame(self, frame: SeleniumFrame) -> None:
        await self._sent(frame.own, [("Network.enable", NETWORK_BUFFERS), *self._common()])

    async def _prepare_worker(self, own: WireSession) -> None:
        """Its requests are asked about like a page's; a session that knows no `Fetch` lets them pass."""
        commands: list[tuple[str, JsonObject]] = [
            ("Target.setAutoAttach", self._nested()),
            ("Network.setUserAgentOverride", self._user_agent_override()),
        ]
        if self._door is not None:
            commands.append(self._door.command)
        await self._sent(own, [*commands, ("Runtime.runIfWaitingForDebugger", {})])

    async def _sent(self, session: WireSession, commands: list[tuple[str, JsonObject]]) -> str:
        """What can't be had as asked for, or ""; it is no matter which tab of a process has its overrides."""
        answers = await asyncio.gather(
            *(session.send(method, params) for method, params in commands), return_exceptions=True
        )
        for answer in answers:
            if isinstance(answer, EnvironmentDown):
                raise answer
        told = [answer.message for answer in answers if isinstance(answer, ActionFailed)]
        unknown = any("Invalid timezone" in text for text in told)
        return f"there is no time zone {self.options.timezone}" if unknown else ""

    def _nested(self) -> JsonObject:
        """Follow what a target holds, each part held until it is prepared."""
        return {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": NESTED}

    def _user_agent_override(self) -> JsonObject:
        """How its browser names itself, and its language."""
        return {"userAgent": self.user_agent, "acceptLanguage": self.options.locale}

    def _common(self) -> list[tuple[str, JsonObject]]:
        """What tabs and cross-process frames alike are prepared with."""
        options = self.options
        commands: list[tuple[str, JsonObject]] = [
            ("Inspector.enable", {}),
            ("Page.enable", {}),
            ("Target.setAutoAttach", self._nested()),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            ("Emulation.setLocaleOverride", {"locale": options.locale}),
            ("Emulation.setUserAgentOverride", self._user_agent_override()),
        ]
        if self.windowless:
            commands.append(("Page.setFontFamilies", FAMILIES))
        if options.timezone:
            commands.append(("Emulation.setTimezoneOverride", {"timezoneId": options.timezone}))
        if options.position is not None:
            north, east = options.position
            told = {"latitude": north, "longitude": east, "accuracy": ACCURACY}
            commands.append(("Emulation.setGeolocationOverride", told))
        if options.init_script:
            script = {"source": options.init_script, "runImmediately": True}
            commands.append(("Page.addScriptToEvaluateOnNewDocument", script))
        commands.extend(self._requests.commands())
        if self._door is not None:
            commands.append(self._door.command)
        return [*commands, ("Runtime.runIfWaitingForDebugger", {})]


async def _unless_gone(work: Coroutine[Any, Any, None]) -> None:
    with contextlib.suppress(WebbenchError):
        await work
