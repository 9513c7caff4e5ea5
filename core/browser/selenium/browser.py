"""Browsers that WebDriver starts, as `DriverBrowser`: one of ours for all contexts, or a Grid's, one each.

A context of ours is a browser context (`Target.createBrowserContext`, which BiDi's `createUserContext` is
made of): it isolates cookies, storage and cache, and opens with its tab in 0.23 s, where a WebDriver session
of its own takes 0.8 s and a second Chromium. At a remote end every context is a session, so that
episodes spread over the nodes of a Grid and one that dies takes no other with it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import TypeVar

from webbench.core.browser.driver import ContextOptions, DriverContext
from webbench.core.browser.network.only_hosts import NOWHERE, exceptions
from webbench.core.browser.selenium.commands import LOGS, CommandWire
from webbench.core.browser.selenium.context import SeleniumContext
from webbench.core.browser.selenium.devtools import devtools_socket
from webbench.core.browser.selenium.downloads import Downloads, far_reader
from webbench.core.browser.selenium.uploads import FarSession
from webbench.core.browser.selenium.webdriver_session import WebDriverSession, local_session, remote_session
from webbench.core.browser.selenium.websocket import Wire, WireSession
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.browser.starting.find_chromium import HEADLESS_PRODUCT
from webbench.core.browser.starting.keeper import Keeper
from webbench.core.browser.starting.start_failure import DIED_HINT, DiedAtStart
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import JsonObject

T = TypeVar("T")
GRID_SECONDS = 150.0
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
SHARED_WORKERS = ("service_worker", "shared_worker")
TABS = [{"type": kind} for kind in ("page", *SHARED_WORKERS)] + [{"exclude": True}]
"""What waits for us as it starts."""


class SeleniumBrowser:
    """One WebDriver session's browser.

    `pid` is the Chromium's; it and its chromedriver are one process group, which is the chromedriver's.
    `by_commands` tells that it is reached the slower way (see `commands`).
    """

    def __init__(self, session: WebDriverSession, wire: Wire, folder: str) -> None:
        self.version = ""
        self.by_commands = isinstance(wire, CommandWire)
        self.versions: Mapping[str, str] = _versions(session, self.by_commands)
        self.pid: int | None = None
        self.root = WireSession(wire)
        self.webdriver = session
        self._wire = wire
        self._folder = folder
        self._user_agent = ""
        self._contexts: dict[str, SeleniumContext] = {}
        self._stack = AsyncExitStack()
        self.root.on("Target.attachedToTarget", self._came)
        self.root.on("Target.detachedFromTarget", self._went)
        wire.on_lost(self._lost)

    @property
    def connected(self) -> bool:
        return not self._wire.lost

    async def prepare(self, stack: AsyncExitStack) -> None:
        """Learn what it is and follow its tabs; what is on the stack ends with it."""
        known = await self.root.send("Browser.getVersion")
        self.version, self._user_agent = str(known["product"]), str(known["userAgent"])
        follow = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": TABS}
        await self.root.send("Target.setAutoAttach", follow)
        self._stack = stack.pop_all()

    async def context(self, options: ContextOptions) -> DriverContext:
        return await self.fresh_context(options)

    async def fresh_context(self, options: ContextOptions) -> SeleniumContext:
        if options.joins:
            raise EnvironmentDown(
                "Selenium can't join the tabs of a browser that somebody else started",
                "use --browser playwright",
            )
        try:
            answer = await self.root.send("Target.createBrowserContext", _apart(options))
            context = self._made(answer["browserContextId"], options)
            await self._open(context)
        except ActionFailed as error:
            raise EnvironmentDown(f"no fresh browser context: {error.message}") from error
        return context

    async def close(self) -> None:
        await self._stack.aclose()

    def _made(self, id: str, options: ContextOptions) -> SeleniumContext:
        fetch = far_reader(self._wire, self.root, self.webdriver.window) if self.webdriver.remote else None
        downloads = Downloads(self.root, f"{self._folder}/downloads-{id}", fetch)
        context = SeleniumContext(self._wire, self.root, id, options, downloads)
        context.user_agent = self._user_agent
        context.windowless = self.version.startswith(HEADLESS_PRODUCT)
        context.webdriver = self.webdriver
        if self.webdriver.remote:
            context.session_of = lambda session: FarSession(self._wire, session, self.webdriver)
        self._contexts[id] = context
        context.at_close(lambda: self._forget(id))
        return context

    async def _open(self, context: SeleniumContext) -> None:
        try:
            await context.downloads.allow(context.id)
            if context.options.position is not None:
                granted = {"permissions": ["geolocation"], "browserContextId": context.id}
                await self.root.send("Browser.grantPermissions", granted)
            if context.options.storage_state is not None:
                await context.load_state(context.options.storage_state)
        except BaseException:
            await context.close()
            raise

    async def _forget(self, id: str) -> None:
        self._contexts.pop(id, None)

    def _came(self, event: JsonObject) -> None:
        """A session opened: of a new tab, or one that somebody asked for beside the driver's own."""
        info = event["targetInfo"]
        context = self._contexts.get(info.get("browserContextId", ""))
        if info["type"] in SHARED_WORKERS:
            self._worker_came(context, WireSession(self._wire, event["sessionId"]))
            return
        if info["type"] != "page" or (context is not None and context.page(info["targetId"]) is not None):
            return
        own = WireSession(self._wire, event["sessionId"])
        if context is not None:
            context.target_came(own, info)
        elif event["waitingForDebugger"]:
            self._let_run(own)

    def _worker_came(self, context: SeleniumContext | None, own: WireSession) -> None:
        """A worker that several tabs may share, or that lives without any."""
        if context is not None:
            context.worker_came(own)
        else:
            self._let_run(own)

    def _let_run(self, own: WireSession) -> None:
        """A window of nobody's context, such as the one that a session begins with."""
        task = asyncio.create_task(_resumed(own))
        task.add_done_callback(lambda done: done.exception())

    def _went(self, event: JsonObject) -> None:
        for context in tuple(self._contexts.values()):
            context.target_went(event["sessionId"])

    def _lost(self) -> None:
        for context in tuple(self._contexts.values()):
            context.lost()


class SeleniumGrid:
    """A remote end: each context is a session of its own, which ends with it."""

    def __init__(self, options: LaunchOptions, first: SeleniumBrowser) -> None:
        self.version = first.version
        self.versions: Mapping[str, str] = first.versions
        self.pid: int | None = None
        self._options = options
        self._by_commands = first.by_commands
        self._spare: SeleniumBrowser | None = first
        self._open: set[SeleniumBrowser] = set()
        self._closed = False

    @property
    def connected(self) -> bool:
        """A Grid outlives its nodes; a context says of itself whether its node still answers."""
        return not self._closed

    async def context(self, options: ContextOptions) -> DriverContext:
        spare, self._spare = self._spare, None
        if spare is not None and not spare.connected:
            await spare.close()
            spare = None
        browser = spare or await self._fresh()
        self._open.add(browser)
        try:
            context = await browser.fresh_context(options)
        except BaseException:
            await self._end(browser)
            raise
        context.at_close(lambda: self._end(browser))
        return context

    async def close(self) -> None:
        self._closed = True
        spare, self._spare = self._spare, None
        for browser in (*self._open, *([spare] if spare is not None else [])):
            await browser.close()

    async def _fresh(self) -> SeleniumBrowser:
        return await patiently(lambda: _remote(self._options, by_commands=self._by_commands))

    async def _end(self, browser: SeleniumBrowser) -> None:
        self._open.discard(browser)
        await browser.close()


async def patiently(granted: Callable[[], Awaitable[T]]) -> T:
    """Ask a Grid that worked before until it grants something, or `GRID_SECONDS` are over.

    For up to two minutes a Grid gives the free slots of a node that died to whoever asks next, which would
    end a run's remaining episodes one after the other.
    """
    loop = asyncio.get_running_loop()
    deadline, pause = loop.time() + GRID_SECONDS, FIRST_PAUSE
    while True:
        try:
            return await granted()
        except EnvironmentDown:
            if loop.time() + pause > deadline:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


async def start(options: LaunchOptions) -> SeleniumBrowser | SeleniumGrid:
    """A browser as the options say. Raises `EnvironmentDown`, or `OSError` of the temporary folder."""
    if options.endpoint:
        return SeleniumGrid(options, await _remote(options))
    return await _local(options)


async def _local(options: LaunchOptions) -> SeleniumBrowser:
    async with AsyncExitStack() as stack:
        keeper = await Keeper.start()
        stack.push_async_callback(keeper.close)
        session = await local_session(options, keeper)
        stack.push_async_callback(session.quit)
        try:
            browser = await _known(session, await devtools_socket(session), str(keeper.folder), stack)
        except EnvironmentDown as error:
            raise DiedAtStart(f"the browser ended as it started: {error.message}", DIED_HINT) from error
        pid = session.capabilities.get("goog:processID")
        browser.pid = pid if isinstance(pid, int) else None
        return browser


async def _remote(options: LaunchOptions, *, by_commands: bool = False) -> SeleniumBrowser:
    """A session at the remote end, by commands alone where it gives no way to DevTools' WebSocket."""
    async with AsyncExitStack() as stack:
        session = await remote_session(options, LOGS if by_commands else {})
        stack.push_async_callback(session.quit)
        wire: Wire | None = CommandWire(session) if by_commands else await _socket(session)
        if wire is not None:
            session.stay(wire.lose)
            chrome = session.capabilities.get("chrome")
            folder = chrome.get("userDataDir") if isinstance(chrome, dict) else None
            return await _known(session, wire, str(folder or "/tmp"), stack)  # noqa: S108 - a folder at the other end
    return await _remote(options, by_commands=True)


async def _socket(session: WebDriverSession) -> Wire | None:
    try:
        return await devtools_socket(session)
    except EnvironmentDown as error:
        logging.getLogger(__name__).warning("%s; the slower way by commands is taken", error)
        return None


async def _known(
    session: WebDriverSession, wire: Wire, folder: str, stack: AsyncExitStack
) -> SeleniumBrowser:
    stack.push_async_callback(wire.close)
    browser = SeleniumBrowser(session, wire, folder)
    try:
        await browser.prepare(stack)
    except ActionFailed as error:
        raise EnvironmentDown(f"the browser failed as it started: {error.message}") from error
    return browser


def _versions(session: WebDriverSession, by_commands: bool) -> dict[str, str]:
    chrome = session.capabilities.get("chrome")
    told = str(chrome.get("chromedriverVersion", "")) if isinstance(chrome, dict) else ""
    known = {"selenium": version("selenium")}
    known |= {"chromedriver": told.split(" ", 1)[0]} if told else {}
    return known | ({"devtools": "by commands"} if by_commands else {})


def _apart(options: ContextOptions) -> JsonObject:
    """What a browser context is made with."""
    apart: JsonObject = {"disposeOnDetach": True}
    if options.only_hosts is not None:
        apart |= {"proxyServer": NOWHERE, "proxyBypassList": exceptions(options.only_hosts)}
    return apart


async def _resumed(own: WireSession) -> None:
    await own.send("Runtime.runIfWaitingForDebugger")
