"""Starting Chromium by Playwright, or reaching a running one, as `DriverBrowser`."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webbench.core.browser.driver import ACCURACY, CdpSession, ContextOptions, DriverContext
from webbench.core.browser.network.only_hosts import NOWHERE, exceptions
from webbench.core.browser.playwright.context import PlaywrightContext
from webbench.core.browser.playwright.devtools import PlaywrightSession, first_line, translated
from webbench.core.browser.starting.browser_options import REACH_HINTS, LaunchOptions
from webbench.core.browser.starting.endpoint import checked, hushed
from webbench.core.browser.starting.find_chromium import chosen_chromium
from webbench.core.browser.starting.keeper import Keeper
from webbench.core.browser.starting.start_failure import DEATHS, DIED_HINT, DiedAtStart, not_started
from webbench.core.browser.starting.switches import CHROMIUM_ARGUMENTS
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.text.addresses import without_secrets
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, BrowserType, Dialog, Playwright

CLOSE_SECONDS = 5.0
DEVTOOLS_PATH = "/devtools/"
PORT_FILE = "*/DevToolsActivePort"
"""Chromium writes its port there, in the folder of its profile."""
ANY_PORT = "--remote-debugging-port=0"
UNPROTECTED = "--disable-ipc-flooding-protection"
"""By this switch of Playwright's a page could keep the browser busy with its history alone."""


class Driver:
    """Playwright's own process, which all that it has started is reached through.

    It may end before us, as where a signal ends all processes of a group, or where memory runs out. Of that
    no browser is told: it counts as connected for good. Playwright keeps it in a future that nobody reads, so
    that asyncio would complain.
    """

    def __init__(self, starter: object, playwright: Playwright) -> None:
        self.playwright = playwright
        client = getattr(starter, "_client", None)
        self._end = getattr(client, "_close_promise", None)
        error = getattr(getattr(client, "_transport", None), "on_error_future", None)
        if isinstance(error, asyncio.Future):
            error.add_done_callback(lambda future: future.cancelled() or future.exception())

    @property
    def ended(self) -> bool:
        """Whether nothing more is heard of it."""
        return isinstance(self._end, asyncio.Future) and self._end.done()


class PlaywrightBrowser:
    """A browser that runs; made by `start`."""

    def __init__(
        self, browser: Browser, driver: Driver, session: CdpSession, product: str, stack: AsyncExitStack
    ) -> None:
        self.browser = browser
        self._driver = driver
        self.session = session
        self.version = product
        self.versions: Mapping[str, str] = {"playwright": version("playwright")}
        self.pid: int | None = None
        self.devtools = ""
        self._stack = stack

    @property
    def connected(self) -> bool:
        return self.browser.is_connected() and not self._driver.ended

    async def context(self, options: ContextOptions) -> DriverContext:
        if options.joins:
            return await self._joined()
        wanted: dict[str, Any] = {}
        if options.windowed:
            wanted["no_viewport"] = True
        else:
            wanted["viewport"] = {"width": options.viewport.width, "height": options.viewport.height}
            wanted["device_scale_factor"] = options.viewport.device_pixel_ratio
        if options.only_hosts is not None:
            wanted["proxy"] = {"server": NOWHERE, "bypass": exceptions(options.only_hosts)}
        context = await fresh_context(self.browser, options, wanted)
        return PlaywrightContext(context, self.session, lambda: self.connected)

    async def close(self) -> None:
        await self._stack.aclose()

    async def _joined(self) -> DriverContext:
        """All tabs of a browser that we have reached count as those of its first context."""
        with down("the browser's tabs could not be joined"):
            targets = (await self.session.send("Target.getTargets"))["targetInfos"]
        made = [str(one.get("browserContextId", "")) for one in targets if one["type"] == "page"]
        if not made or not self.browser.contexts:
            raise EnvironmentDown("there is no open tab in the browser that is to be joined")
        return PlaywrightContext(
            self.browser.contexts[0], self.session, lambda: self.connected, joined=made[0]
        )


async def start(options: LaunchOptions) -> PlaywrightBrowser:
    """A browser as the options say. Raises `EnvironmentDown`, or `OSError` of the temporary folder."""
    async with AsyncExitStack() as stack:
        if options.endpoint:
            return await _reached(options, stack)
        return await _started(options, stack)


async def _reached(options: LaunchOptions, stack: AsyncExitStack) -> PlaywrightBrowser:
    driver = await running_driver(stack)
    endpoint = checked(options.endpoint)
    try:
        with down(f"no browser answers at {without_secrets(endpoint)}", REACH_HINTS["playwright"]):
            browser = await _answering(driver.playwright.chromium, endpoint)
    except EnvironmentDown as error:
        raise EnvironmentDown(hushed(error.message, endpoint), error.hint) from None
    for context in browser.contexts:
        context.on("dialog", _left_alone)
    return await _known(browser, driver, stack)


async def _started(options: LaunchOptions, stack: AsyncExitStack) -> PlaywrightBrowser:
    from playwright.async_api import Error

    executable = chosen_chromium(options.executable, windowed=options.windowed)
    keeper = await Keeper.start()
    stack.push_async_callback(keeper.close)
    with temporary_folder(keeper.folder):
        driver = await running_driver(stack)
    stack.push_async_callback(keeper.end)
    try:
        browser = await driver.playwright.chromium.launch(
            executable_path=executable,
            headless=options.headless,
            chromium_sandbox=options.sandboxed,
            args=[*CHROMIUM_ARGUMENTS, *options.extra_args, *[ANY_PORT] * options.devtools],
            ignore_default_args=[UNPROTECTED],
            env={**os.environ, "TMPDIR": str(keeper.folder), **options.variables},
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error as error:
        raise not_started(str(executable), str(error)) from error
    try:
        known = await _known(browser, driver, stack)
        answer = await known.session.send("SystemInfo.getProcessInfo")
    except EnvironmentDown as error:
        told = f"{executable} ended as it started: {error.message}"
        raise DiedAtStart(told, DIED_HINT) from error
    known.pid = next(int(one["id"]) for one in answer["processInfo"] if one["type"] == "browser")
    keeper.watch(known.pid)
    if options.devtools:
        known.devtools = await asyncio.to_thread(devtools_address, keeper.folder)
    return known


def devtools_address(folder: Path) -> str:
    """Of the browser whose profile lies in this folder. Raises `EnvironmentDown`."""
    try:
        return f"http://127.0.0.1:{int(next(folder.glob(PORT_FILE)).read_text('utf-8').split()[0])}"
    except (StopIteration, OSError, ValueError, IndexError) as error:
        raise EnvironmentDown("the browser tells no DevTools port") from error


async def _answering(chromium: BrowserType, endpoint: str) -> Browser:
    """The browser behind an address: by DevTools, or as a Playwright server, which only WebSockets can be."""
    from playwright.async_api import Error

    try:
        return await chromium.connect_over_cdp(endpoint, no_defaults=True)
    except Error:
        if not endpoint.startswith(("ws:", "wss:")) or DEVTOOLS_PATH in endpoint:
            raise
    return await chromium.connect(endpoint)


def _left_alone(_dialog: Dialog) -> None:
    """Others may work in the same browser: we see their pages, and what nobody hears is dismissed."""


async def _known(browser: Browser, driver: Driver, stack: AsyncExitStack) -> PlaywrightBrowser:
    """The browser with its own session and version; what is on the stack ends with it."""
    stack.push_async_callback(closed, browser)
    with down("the browser failed as it started"):
        session = PlaywrightSession(await browser.new_browser_cdp_session())
    product = str((await session.send("Browser.getVersion")).get("product", ""))
    return PlaywrightBrowser(browser, driver, session, product, stack.pop_all())


async def running_driver(stack: AsyncExitStack) -> Driver:
    """Playwright's own process, ended with the stack. Raises `EnvironmentDown` where it is broken."""
    from playwright.async_api import async_playwright

    starter = async_playwright()
    try:
        playwright = await starter.start()
    except Exception as error:
        told = f"Playwright's driver did not start: {first_line(error)}"
        if not isinstance(error, OSError) and any(words in str(error) for words in DEATHS):
            raise DiedAtStart(told, DIED_HINT) from error
        raise EnvironmentDown(told, "run `make setup` to install it anew") from error
    stack.push_async_callback(_stopped, playwright)
    return Driver(starter, playwright)


async def _stopped(playwright: Playwright) -> None:
    with contextlib.suppress(Exception):
        async with time_limit(CLOSE_SECONDS):
            await playwright.stop()


async def closed(browser: Browser) -> None:
    with contextlib.suppress(Exception):
        async with time_limit(CLOSE_SECONDS):
            await browser.close()


async def fresh_context(browser: Browser, options: ContextOptions, more: Mapping[str, Any]) -> BrowserContext:
    """A context with a visitor's language, place and logins. Raises `EnvironmentDown`.

    Args:
        more: what Playwright's `new_context` is given besides.
    """
    wanted: dict[str, Any] = {"locale": options.locale, "accept_downloads": True, **more}
    if options.timezone:
        wanted["timezone_id"] = options.timezone
    if options.position is not None:
        north, east = options.position
        wanted["geolocation"] = {"latitude": north, "longitude": east, "accuracy": ACCURACY}
        wanted["permissions"] = ["geolocation"]
    if options.storage_state is not None:
        wanted["storage_state"] = options.storage_state
    with down("no fresh browser context"):
        context = await browser.new_context(**wanted)
        if options.init_script:
            await _prepare(context, options.init_script)
    return context


async def _prepare(context: BrowserContext, script: str) -> None:
    """A context that can't be prepared is closed again."""
    try:
        await context.add_init_script(script=script)
    except BaseException:
        with contextlib.suppress(Exception):
            async with time_limit(CLOSE_SECONDS):
                await context.close()
        raise


@contextlib.contextmanager
def down(what: str, hint: str = "") -> Iterator[None]:
    """Without a browser, what Playwright says is never the page's fault."""
    try:
        with translated(what):
            yield
    except ActionFailed as error:
        raise EnvironmentDown(error.message, hint) from error


@contextlib.contextmanager
def temporary_folder(folder: Path) -> Iterator[None]:
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
