"""Finding Chromium, starting it (or reaching a running one), and ending it whatever happens to us."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.desktop.desktop import Desktop
from webbench.core.browser.driver import ContextOptions, DriverBrowser, DriverPage
from webbench.core.browser.starting.browser_options import DIFFERS, REACH_HINTS, LaunchOptions
from webbench.core.browser.starting.find_chromium import (
    HEADLESS_PRODUCT,
    INSTALL_HINT,
    find_chromium,
    main,
    no_window,
)
from webbench.core.browser.starting.start_failure import PAUSES, DiedAtStart
from webbench.core.browser.starting.switches import CHROMIUM_ARGUMENTS
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.observation import Viewport
from webbench.core.text.addresses import without_secrets
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.browser_environment import BrowserEnvironment

__all__ = [
    "CHROMIUM_ARGUMENTS",
    "INSTALL_HINT",
    "Browser",
    "LaunchOptions",
    "find_chromium",
    "kill",
    "launch",
]

FOLDER_HINT = "see that the temporary folder (TMPDIR) has room and can be written"


class Browser:
    """One running Chromium, from which any number of environments are made.

    Attributes:
        version: product and version, e.g. "Chrome/156.0.7000.1"; "" before it ran.
        versions: of the driver's software, for the record.
        desktop: the display that it runs on, where real mouse and keyboard act there.
    """

    def __init__(self, options: LaunchOptions) -> None:
        self.options = options
        self.version = ""
        self.versions: dict[str, str] = {}
        self.desktop: Desktop | None = None
        self._running: DriverBrowser | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    @property
    def driving(self) -> str:
        """How it is driven, in a word (see `LaunchOptions.driving`)."""
        return self.options.driving

    @property
    def differs(self) -> str:
        """What is not as it is with the other drivers, "" where nothing is."""
        return DIFFERS.get(self.options.driver, "")

    @property
    def pid(self) -> int | None:
        """Process id of the browser we started, None for a remote one."""
        return self._running.pid if self._running is not None else None

    @property
    def devtools(self) -> str:
        """Address of the port that was asked for by `LaunchOptions.devtools`, "" where there is none."""
        return str(getattr(self._running, "devtools", ""))

    @property
    def alive(self) -> bool:
        return self._running is not None and self._running.connected

    def environment(self, patience: Patience = Patience()) -> BrowserEnvironment:
        """A new world in this browser: its own context, cookies and tabs (opened by `reset`)."""
        from webbench.core.browser.browser_environment import BrowserEnvironment

        return BrowserEnvironment(self, patience)

    def seat(self, viewport: Viewport) -> Callable[[DriverPage], Awaitable[None]] | None:
        """What gives a tab the mouse and keyboard of the display, and this size; None without a display."""
        desktop = self.desktop
        return None if desktop is None else lambda page: desktop.sit_down(page, viewport)

    async def connected(self) -> DriverBrowser:
        """The live browser, started anew where it had died. Raises `EnvironmentDown`."""
        async with self._lock:
            if self._closed:
                raise EnvironmentDown("the browser was closed")
            handless = self.desktop is not None and not self.desktop.alive
            if self._running is None or not self._running.connected or handless:
                await self._stop()
                self._running = await self._start()
                self.version, self.versions = self._running.version, dict(self._running.versions)
                if self.desktop is not None:
                    self.versions |= self.desktop.versions()
            return self._running

    async def answers(self, within: float) -> bool:
        """Whether it still runs, and makes a context within so many seconds."""
        running = self._running
        if running is None or not running.connected:
            return False
        try:
            async with time_limit(within):
                await (await running.context(ContextOptions())).close()
        except (TimeoutError, WebbenchError):
            return False
        return True

    async def close(self) -> None:
        """End the browser and sweep its folder; idempotent."""
        async with self._lock:
            self._closed = True
            await self._stop()

    async def _start(self) -> DriverBrowser:
        """What dies as it starts is started again, a few times and later each time."""
        for pause in PAUSES:
            try:
                return await self._started_once()
            except DiedAtStart as error:
                logging.getLogger(__name__).warning("%s; it is started again in %g s", error.message, pause)
            await self._stop()
            await asyncio.sleep(pause)
        try:
            return await self._started_once()
        except DiedAtStart as error:
            raise EnvironmentDown(
                f"{error.message}; so it was {len(PAUSES) + 1} times", error.hint
            ) from error

    async def _started_once(self) -> DriverBrowser:
        try:
            async with time_limit(self.options.timeout):
                return await _started_with_window(await self._seated())
        except TimeoutError as error:
            raise self._late() from error
        except ActionFailed as error:
            raise EnvironmentDown(f"the browser failed as it started: {error.message}") from error
        except OSError as error:
            raise EnvironmentDown(f"the browser could not be prepared: {error}", FOLDER_HINT) from error

    async def _seated(self) -> LaunchOptions:
        """The options, with a display where its mouse and keyboard are asked for."""
        if self.options.input == "browser":
            return self.options
        self.desktop = await Desktop.for_browser(self.options)
        return self.desktop.dressed(self.options)

    def _late(self) -> EnvironmentDown:
        timeout, endpoint = self.options.timeout, self.options.endpoint
        if endpoint:
            hint = REACH_HINTS[self.options.driver]
            where = without_secrets(endpoint)
            return EnvironmentDown(f"no browser answers at {where} within {timeout:g} s", hint)
        return EnvironmentDown(
            f"the browser did not start within {timeout:g} s",
            "end other programs that keep the machine busy; `webbench-tui doctor` checks the browser",
        )

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await running.close()
        desktop, self.desktop = self.desktop, None
        if desktop is not None:
            await desktop.close()


@contextlib.asynccontextmanager
async def launch(options: LaunchOptions = LaunchOptions()) -> AsyncIterator[Browser]:
    """A running browser, ended and swept on leaving. Raises `EnvironmentDown` with what to do."""
    browser = Browser(options)
    try:
        await browser.connected()
        yield browser
    finally:
        await browser.close()


async def _started_with_window(options: LaunchOptions) -> DriverBrowser:
    """Started, with a window where one is asked for: a headless shell by another name has none."""
    running = await _started(options)
    if options.windowed and running.version.startswith(HEADLESS_PRODUCT):
        await running.close()
        raise no_window(options.executable or find_chromium())
    return running


async def _started(options: LaunchOptions) -> DriverBrowser:
    if options.driver == "selenium":
        from webbench.core.browser.selenium import browser as selenium_browser

        return await selenium_browser.start(options)
    if options.driver == "firefox":
        from webbench.core.browser.firefox import browser as firefox_browser

        return await firefox_browser.start(options)
    from webbench.core.browser.playwright import browser as playwright_browser

    return await playwright_browser.start(options)


def kill(pid: int) -> None:
    """End a browser at once, with all its processes and the driver that started it, if any."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(os.getpgid(pid), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
