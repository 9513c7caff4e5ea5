"""Starting Firefox by Playwright, as `DriverBrowser`: Playwright's own build, or the system's over BiDi."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webbench.core.browser.driver import (
    PERCEIVED,
    ContextOptions,
    DriverContext,
    DriverPage,
    FrameTarget,
)
from webbench.core.browser.firefox.devtools import FirefoxBrowserSession, FirefoxSession
from webbench.core.browser.playwright.browser import (
    Driver,
    closed,
    fresh_context,
    running_driver,
    temporary_folder,
)
from webbench.core.browser.playwright.context import PlaywrightContext
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.browser.starting.keeper import Keeper
from webbench.core.browser.starting.start_failure import not_started
from webbench.core.errors import EnvironmentDown
from webbench.core.own_python import child_environment, module_command

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Playwright

COMMANDS = ("firefox-esr", "firefox")
HINT = "install Firefox (Debian's firefox-esr), or Playwright's own by `playwright install firefox`"
PID_FILE = "firefox.pid"
GO_BETWEEN = "webbench.core.browser.firefox.go_between"
OF_SYSTEM = "moz-firefox"
"""Playwright's channel for a Firefox that it talks BiDi to."""

PREFERENCES: dict[str, str | float | bool] = {
    "remote.prefs.recommended": True,
    "dom.disable_open_during_load": False,
}


class FirefoxPage(PlaywrightPage):
    """One tab; all its frames are reached by its one session."""

    def __init__(self, page: Page, named: Callable[[Page], DriverPage] | None = None) -> None:
        super().__init__(page, named)
        self.session = session = FirefoxSession(page)
        self.frame_id = session.main_frame

    async def attach(self, commands: Sequence[str] = PERCEIVED) -> None:
        """It was followed from its beginning."""

    async def frames(self) -> Sequence[FrameTarget]:
        return []


class FirefoxContext(PlaywrightContext):
    """Tabs that share cookies with nobody else."""

    make_page = FirefoxPage


class FirefoxBrowser:
    """A browser that runs; made by `start`."""

    def __init__(self, browser: Browser, driver: Driver, stack: AsyncExitStack) -> None:
        self.browser = browser
        self._driver = driver
        self.version = f"Firefox/{browser.version}"
        self.versions: Mapping[str, str] = {"playwright": version("playwright")}
        self.pid: int | None = None
        self._stack = stack

    @property
    def connected(self) -> bool:
        return self.browser.is_connected() and not self._driver.ended

    async def context(self, options: ContextOptions) -> DriverContext:
        if options.only_hosts is not None:
            raise EnvironmentDown(
                "Firefox can't be held to allowed hosts here", "use Chromium, or leave guard.hosts empty"
            )
        screen = {
            "viewport": {"width": options.viewport.width, "height": options.viewport.height},
            "device_scale_factor": options.viewport.device_pixel_ratio,
        }
        context = await fresh_context(self.browser, options, screen)
        made: FirefoxContext

        def pages() -> list[tuple[str, Page]]:
            return [(made.frame_id_of(page), page) for page in context.pages]

        made = FirefoxContext(context, FirefoxBrowserSession(pages), lambda: self.connected)
        return made

    async def close(self) -> None:
        await self._stack.aclose()


async def start(options: LaunchOptions) -> FirefoxBrowser:
    """A Firefox as the options say. Raises `EnvironmentDown`."""
    from playwright.async_api import Error

    if options.endpoint or options.input == "desktop":
        raise EnvironmentDown(
            "Firefox is only started here, with its own mouse and keyboard",
            "use Chromium for an endpoint or a display",
        )
    async with AsyncExitStack() as stack:
        keeper = await Keeper.start()
        stack.push_async_callback(keeper.close)
        with temporary_folder(keeper.folder):
            driver = await running_driver(stack)
        stack.push_async_callback(keeper.end)
        how = _how(options, driver.playwright, keeper.folder)
        try:
            browser = await driver.playwright.firefox.launch(
                headless=options.headless,
                args=[*options.extra_args],
                env={**child_environment(TMPDIR=str(keeper.folder)), **options.variables},
                firefox_user_prefs=PREFERENCES,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                **how,
            )
        except Error as error:
            raise not_started(str(how.get("executable_path", "Firefox")), str(error)) from error
        stack.push_async_callback(closed, browser)
        running = FirefoxBrowser(browser, driver, stack.pop_all())
        if (pid := _noted_pid(keeper.folder)) is not None:
            running.pid = pid
            keeper.watch(pid)
        return running


def _how(options: LaunchOptions, playwright: Playwright, folder: Path) -> dict[str, Any]:
    """Playwright's own build where nothing else is named and it is there, else one of the system."""
    if options.executable is None and Path(playwright.firefox.executable_path).is_file():
        return {}
    return {
        "channel": OF_SYSTEM,
        "executable_path": _with_go_between(find_firefox(options.executable), folder),
    }


def find_firefox(named: Path | None = None) -> Path:
    """The one named, else the system's. Raises `EnvironmentDown`."""
    found = str(named) if named is not None else next(filter(None, map(shutil.which, COMMANDS)), None)
    if found is None:
        raise EnvironmentDown("there is no Firefox", HINT)
    return Path(found)


def _noted_pid(folder: Path) -> int | None:
    """Of the go-between, in whose process group Firefox is; None with Playwright's own build."""
    try:
        return int((folder / PID_FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _with_go_between(firefox: Path, folder: Path) -> Path:
    """A program that Playwright starts in place of Firefox."""
    script = folder / "firefox-with-go-between"
    words = module_command(GO_BETWEEN, str(firefox))
    note = shlex.quote(str(folder / PID_FILE))
    script.write_text(f'#!/bin/sh\necho $$ > {note}\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    script.chmod(0o700)
    return script
