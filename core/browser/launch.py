"""Finding Chromium, starting it (or reaching a running one), and ending it whatever happens to us."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.browser import reaper
from webbench.core.browser.finding import INSTALL_HINT, find_chromium, main
from webbench.core.browser.folder import PrivateFolder, sweep_abandoned
from webbench.core.browser.playwright import first_line
from webbench.core.browser.switches import CHROMIUM_ARGUMENTS
from webbench.core.errors import EnvironmentDown

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import CDPSession, Playwright

    from webbench.core.browser.environment import BrowserEnvironment

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
REACH_HINT = "check that it runs and that its DevTools port can be reached"


class LaunchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to get a browser.

    Attributes:
        headless: without a window.
        executable: this Chromium instead of the one `find_chromium` finds.
        extra_args: further command-line switches.
        endpoint: DevTools address of a running browser (http://… or ws://…); nothing is started then.
        sandbox: None means on, except for root, for whom Chromium refuses to start with it.
        timeout: seconds that starting may take.
    """

    headless: bool = True
    executable: Path | None = None
    extra_args: tuple[str, ...] = ()
    endpoint: str = ""
    sandbox: bool | None = None
    timeout: float = 30.0


class Browser:
    """One running Chromium, from which any number of environments are made.

    Attributes:
        pid: process id of the browser we started, None for a remote one.
        version: product and version, e.g. "Chrome/156.0.7000.1".
    """

    def __init__(self, options: LaunchOptions) -> None:
        self.options = options
        self.pid: int | None = None
        self.version = ""
        self._folder: PrivateFolder | None = None
        self._reaper: asyncio.subprocess.Process | None = None
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._session: CDPSession | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    @property
    def alive(self) -> bool:
        return self._browser is not None and self._browser.is_connected()

    def environment(self) -> BrowserEnvironment:
        """A new world in this browser: its own context, cookies and tabs (opened by `reset`)."""
        from webbench.core.browser.environment import BrowserEnvironment

        return BrowserEnvironment(self)

    async def connected(self) -> PlaywrightBrowser:
        """The live Playwright browser, started anew where it had died. Raises `EnvironmentDown`."""
        async with self._lock:
            if self._closed:
                raise EnvironmentDown("the browser was closed")
            if self._browser is None or not self._browser.is_connected():
                await self._stop()
                await self._start()
            assert self._browser is not None
            return self._browser

    async def command(self, method: str, timeout: float = 5.0) -> dict[str, object]:
        """One DevTools command to the browser itself, which never waits for a page.

        Raises `EnvironmentDown` where it doesn't answer within `timeout` seconds.
        """
        from playwright.async_api import Error

        if self._session is None:
            raise EnvironmentDown("the browser is not running")
        try:
            return await asyncio.wait_for(self._session.send(method), timeout)
        except TimeoutError as error:
            raise EnvironmentDown(f"the browser did not answer {method} within {timeout:g} s") from error
        except Error as error:
            raise EnvironmentDown(f"the browser refused {method}: {first_line(error)}") from error

    async def close(self) -> None:
        """End the browser and sweep its folder; idempotent."""
        async with self._lock:
            self._closed = True
            await self._stop()

    async def _start(self) -> None:
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(self.options.timeout):
                if self.options.endpoint:
                    await self._connect()
                else:
                    await self._launch()
        except BaseException as error:
            await self._stop()
            if isinstance(error, TimeoutError):
                raise self._late() from error
            if isinstance(error, Error):
                raise EnvironmentDown(f"the browser failed as it started: {first_line(error)}") from error
            if isinstance(error, OSError):
                raise EnvironmentDown(f"the browser could not be prepared: {error}", FOLDER_HINT) from error
            raise

    def _late(self) -> EnvironmentDown:
        timeout, endpoint = self.options.timeout, self.options.endpoint
        if endpoint:
            return EnvironmentDown(f"no browser answers at {endpoint} within {timeout:g} s", REACH_HINT)
        return EnvironmentDown(
            f"the browser did not start within {timeout:g} s",
            "end other programs that keep the machine busy; `webbench-tui doctor` checks the browser",
        )

    async def _connect(self) -> None:
        from playwright.async_api import Error

        self._playwright = await _driver()
        try:
            self._browser = await self._playwright.chromium.connect_over_cdp(self.options.endpoint)
        except Error as error:
            raise EnvironmentDown(
                f"no browser answers at {self.options.endpoint}: {first_line(error)}",
                REACH_HINT,
            ) from error
        await self._identify()

    async def _launch(self) -> None:
        from playwright.async_api import Error

        executable = self.options.executable or find_chromium()
        await asyncio.to_thread(sweep_abandoned)
        self._folder = PrivateFolder()
        folder = self._folder.path
        self._reaper = await _start_reaper(folder)
        with _temporary_folder(folder):
            self._playwright = await _driver()
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        sandbox = not root if self.options.sandbox is None else self.options.sandbox
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=executable,
                headless=self.options.headless,
                chromium_sandbox=sandbox,
                args=[*CHROMIUM_ARGUMENTS, *self.options.extra_args],
                env={**os.environ, "TMPDIR": str(folder)},
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            raise EnvironmentDown(f"{executable} did not start: {_reason(error)}", _hint(error)) from error
        await self._identify()
        self.pid = await self._browser_pid()
        assert self._reaper.stdin is not None
        self._reaper.stdin.write(f"{self.pid}\n".encode())

    async def _identify(self) -> None:
        assert self._browser is not None
        self._session = await self._browser.new_browser_cdp_session()
        version = await self._session.send("Browser.getVersion")
        self.version = str(version.get("product", ""))

    async def _browser_pid(self) -> int:
        assert self._session is not None
        answer = await self._session.send("SystemInfo.getProcessInfo")
        return next(int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser")

    async def _stop(self) -> None:
        if self._browser is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._browser.close(), 5.0)
        if self.pid is not None:
            await asyncio.to_thread(reaper.end_group, self.pid, 1.0)
        if self._playwright is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._playwright.stop(), 5.0)
        if self._reaper is not None and self._reaper.stdin is not None:
            self._reaper.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._reaper.wait(), 5.0)
        if self._folder is not None:
            self._folder.release()
        self._browser = self._playwright = self._reaper = self._session = self._folder = self.pid = None


@contextlib.asynccontextmanager
async def launch(options: LaunchOptions = LaunchOptions()) -> AsyncIterator[Browser]:
    """A running browser, ended and swept on leaving. Raises `EnvironmentDown` with what to do."""
    browser = Browser(options)
    try:
        await browser.connected()
        yield browser
    finally:
        await browser.close()


async def _driver() -> Playwright:
    """Playwright's own process. Raises `EnvironmentDown` where it is broken."""
    from playwright.async_api import async_playwright

    try:
        return await async_playwright().start()
    except Exception as error:
        raise EnvironmentDown(
            f"Playwright's driver did not start: {first_line(error)}", "run `make setup` to install it anew"
        ) from error


async def _start_reaper(folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        reaper.__file__,
        str(folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )


@contextlib.contextmanager
def _temporary_folder(folder: Path) -> Iterator[None]:
    """Playwright's driver takes its folder for profiles from our environment, and from nowhere else."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = before


def kill(pid: int) -> None:
    """End a browser at once, with all its processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _reason(error: Exception) -> str:
    """The line of Playwright's launch log that tells most."""
    lines = [line.strip(" -") for line in str(error).splitlines()]
    telling = [line for line in lines if "FATAL" in line or "ERROR" in line or "cannot" in line.lower()]
    return (telling or lines)[0][:300]


def _hint(error: Exception) -> str:
    text = str(error)
    if "No usable sandbox" in text or "without --no-sandbox" in text:
        return "allow user namespaces, or set browser.sandbox = 'off' (for pages that you trust)"
    if "display" in text.lower() or "ozone" in text.lower():
        return "a window needs a display: run headless, or under Xvfb"
    return INSTALL_HINT


if __name__ == "__main__":
    sys.exit(main())
