"""WebDriver sessions: by a chromedriver of our own, or at a remote end such as a Selenium Grid.

Selenium's calls block and can't be cancelled, so each runs in a thread. One that is given up on a
chromedriver of ours ends with that process; a session that a remote end grants too late is ended there.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from webbench.core.browser.starting.browser_options import REACH_HINTS, LaunchOptions
from webbench.core.browser.starting.endpoint import checked, hushed, login_of
from webbench.core.browser.starting.find_chromium import INSTALL_HINT, chosen_chromium
from webbench.core.browser.starting.keeper import Keeper
from webbench.core.browser.starting.start_failure import DEATHS, DIED_HINT, DiedAtStart, not_started
from webbench.core.browser.starting.switches import (
    CHROMEDRIVER_ARGUMENTS,
    CHROMIUM_ARGUMENTS,
    WINDOWLESS_ARGUMENTS,
)
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.text.addresses import without_login, without_secrets
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.remote.webdriver import WebDriver

T = TypeVar("T")
CHROMEDRIVER_VARIABLE = "WEBBENCH_CHROMEDRIVER"
CHROMEDRIVER_HINT = (
    "install chromedriver of your Chromium's version (Debian: chromium-driver), "
    f"or set {CHROMEDRIVER_VARIABLE} to its path"
)
QUIT_SECONDS = 3.0
PLAIN_UPLOAD = "uploadFileToChromedriver"
"""A chromedriver has another address for it than a Grid."""

CHROMIUM_COMMANDS = {PLAIN_UPLOAD: "file", "executeCdpCommand": "goog/cdp/execute", "getLog": "se/log"}
"""What Selenium's own list lacks for a remote browser: name and path."""

LONGEST_LOG = 100_000
SAID_BY_BROWSER = re.compile(":(ERROR|FATAL):(?!dbus/)|error while loading|cannot execute")
"""An error of Chromium's own that matters: one about the system's bus never does."""

STAYING_SECONDS = 3.0
ANSWERING_SECONDS = 20.0
ENDING_SECONDS = 1.0


class WebDriverSession:
    """A session that runs.

    Attributes:
        capabilities: as the remote end has answered.
        window: handle of the window it began with, which Chromium also uses as its target's id.
        endpoint: of the remote end, e.g. "http://127.0.0.1:4444".
        remote: its browser may run on another machine.
    """

    def __init__(self, driver: WebDriver, endpoint: str, window: str, service: Service | None) -> None:
        self.endpoint = endpoint
        self.remote = service is None
        self.window = window
        self.capabilities: JsonObject = driver.capabilities
        self._driver = driver
        self._service = service
        self._threads = ThreadPoolExecutor(1, "webdriver")
        self._staying: asyncio.Task[None] | None = None

    async def call(self, command: str, params: JsonObject | None = None) -> JsonObject:
        """One of Selenium's commands. Raises `EnvironmentDown` with the remote end's reason."""
        from selenium.common.exceptions import WebDriverException
        from urllib3.exceptions import HTTPError

        try:
            return await _in_thread(self._threads, lambda: self._driver.execute(command, params))
        except (WebDriverException, HTTPError, OSError) as error:
            raise EnvironmentDown(f"WebDriver refused {command}: {reason_of(error)}") from error

    async def upload(self, packed: str) -> str:
        """Path of a file at the remote end, which is sent there as base64 of a zip. Raises as `call` does."""
        try:
            answer = await self.call("uploadFile", {"file": packed})
        except EnvironmentDown as error:
            if "unknown command" not in error.message:
                raise
            answer = await self.call(PLAIN_UPLOAD, {"file": packed})
        return str(answer["value"])

    async def quit(self) -> None:
        """End the session; never raises, takes bounded time."""
        if self._staying is not None:
            self._staying.cancel()
        with contextlib.suppress(EnvironmentDown, TimeoutError):
            async with time_limit(QUIT_SECONDS):
                await self.call("quit")
        self._threads.shutdown(wait=False)
        if self._service is not None:
            await asyncio.to_thread(_ended, self._service)

    def stay(self, gone: Callable[[], None]) -> None:
        """Ask a remote end now and then whether the session still is there, and tell once it is not.

        A Grid leaves the WebSocket of a node that died open, and ends a session that it is asked nothing
        of for five minutes, as while a person thinks.
        """
        self._staying = asyncio.create_task(self._stay(gone))

    async def _stay(self, gone: Callable[[], None]) -> None:
        try:
            while True:
                await asyncio.sleep(STAYING_SECONDS)
                async with time_limit(ANSWERING_SECONDS):
                    await self.call("getTimeouts")
        except (EnvironmentDown, TimeoutError):
            gone()


async def local_session(options: LaunchOptions, keeper: Keeper) -> WebDriverSession:
    """Start a chromedriver, and a Chromium by it; the keeper ends both. Raises `EnvironmentDown`."""
    browser = chosen_chromium(options.executable, windowed=options.windowed)
    wanted = await asyncio.to_thread(_wanted, options, browser)
    environment = {**os.environ, "TMPDIR": str(keeper.folder), **options.variables}
    log = keeper.folder / "chromedriver.log"
    service = await asyncio.to_thread(_service, wanted, environment, log)
    try:
        await _started(service, keeper)
        return await _session(service.service_url, wanted, service)
    except EnvironmentDown as error:
        raise await asyncio.to_thread(_not_started, browser, error, log) from error


def _not_started(browser: Path, error: EnvironmentDown, log: Path) -> EnvironmentDown:
    """With what the browser itself has said, which chromedriver's own error leaves out."""
    if error.hint or isinstance(error, DiedAtStart):
        return error
    if "only supports Chrome version" in error.message:
        return EnvironmentDown(f"{browser} did not start: {error.message}", CHROMEDRIVER_HINT)
    said = log.read_text(errors="replace")[-LONGEST_LOG:] if log.exists() else ""
    errors = [line for line in said.splitlines() if SAID_BY_BROWSER.search(line)]
    failed = not_started(str(browser), "\n".join([*errors, error.message]))
    if errors or isinstance(failed, DiedAtStart):
        return failed
    return EnvironmentDown(f"{browser} did not start: {error.message}", INSTALL_HINT)


async def remote_session(options: LaunchOptions, capabilities: JsonObject) -> WebDriverSession:
    """A session at `options.endpoint`, with these capabilities beside ours. Raises `EnvironmentDown`."""
    endpoint = checked(options.endpoint)
    wanted = await asyncio.to_thread(_wanted, options, None)
    for name, value in capabilities.items():
        wanted.set_capability(name, value)
    try:
        return await _session(endpoint, wanted, None)
    except EnvironmentDown as error:
        told = f"no WebDriver session at {without_secrets(endpoint)}: {hushed(error.message, endpoint)}"
        raise EnvironmentDown(told, error.hint or REACH_HINTS["selenium"]) from None


def find_chromedriver() -> Path | None:
    """The chromedriver to use: WEBBENCH_CHROMEDRIVER, then the one on the path; None leaves it to Selenium.

    Raises `EnvironmentDown` for a variable that names nothing.
    """
    named = os.environ.get(CHROMEDRIVER_VARIABLE, "")
    if named:
        if os.access(named, os.X_OK) and Path(named).is_file():
            return Path(named)
        raise EnvironmentDown(f"{CHROMEDRIVER_VARIABLE} names {named}, which can't be run", CHROMEDRIVER_HINT)
    found = shutil.which("chromedriver")
    return Path(found) if found else None


def reason_of(error: Exception) -> str:
    """The line of a Selenium error that says what happened, without its stack trace."""
    text = str(getattr(error, "msg", "") or error).strip() or type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = lines[0].removeprefix("Message: ").removeprefix("session not created: ")
    return told.partition("; For documentation on this error")[0][:300]


def _wanted(options: LaunchOptions, browser: Path | None) -> Options:
    from selenium.webdriver.chrome.options import Options

    wanted = Options()
    if browser is not None:
        wanted.binary_location = str(browser)
    for switch in _switches(options, local=browser is not None):
        wanted.add_argument(switch)
    wanted.page_load_strategy = "none"
    wanted.unhandled_prompt_behavior = "ignore"
    return wanted


def _switches(options: LaunchOptions, local: bool) -> Sequence[str]:
    """The sandbox of a remote Chromium is its own machine's affair, unless it is told to be off."""
    off = options.sandbox is False or (local and not options.sandboxed)
    return [
        *CHROMEDRIVER_ARGUMENTS,
        *CHROMIUM_ARGUMENTS,
        *(WINDOWLESS_ARGUMENTS if options.headless else ()),
        *(["--no-sandbox"] if off else ()),
        *options.extra_args,
    ]


def _service(wanted: Options, environment: dict[str, str], log: Path) -> Service:
    """A chromedriver that is not started yet; Selenium Manager looks for one where we find none."""
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.driver_finder import DriverFinder

    found = find_chromedriver()
    service = Service(
        executable_path=str(found) if found else None,
        env=environment,
        log_output=str(log),
        popen_kw={"start_new_session": True},
    )
    if found is None:
        try:
            service.path = DriverFinder(service, wanted).get_driver_path()
        except (WebDriverException, OSError) as error:
            raise EnvironmentDown(
                f"no chromedriver was found: {reason_of(error)}", CHROMEDRIVER_HINT
            ) from error
    return service


async def _started(service: Service, keeper: Keeper) -> None:
    from selenium.common.exceptions import WebDriverException

    def start() -> None:
        service.start()

    starting = asyncio.ensure_future(asyncio.to_thread(start))
    try:
        await _process_of(service, starting)
        keeper.watch(service.process.pid)
        await starting
    except WebDriverException as error:
        told = f"chromedriver did not start: {reason_of(error)}"
        if any(words in str(error) for words in DEATHS):
            killed = "Status code was: -" in str(error)
            raise DiedAtStart(told, DIED_HINT if killed else CHROMEDRIVER_HINT) from error
        raise EnvironmentDown(told, CHROMEDRIVER_HINT) from error


def _ended(service: Service) -> None:
    """Let a chromedriver go that has no session any more; one that does not is the keeper's affair."""
    service.process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        service.process.wait(ENDING_SECONDS)


async def _process_of(service: Service, starting: asyncio.Future[None]) -> None:
    """Wait until there is a process; the keeper is told before it can start anything."""
    while getattr(service, "process", None) is None:
        if starting.done():
            await starting
        await asyncio.sleep(0.002)


async def _session(endpoint: str, wanted: Options, service: Service | None) -> WebDriverSession:
    from selenium.common.exceptions import WebDriverException
    from urllib3.exceptions import HTTPError

    threads = ThreadPoolExecutor(1, "webdriver-start")
    starting = threads.submit(_opened, endpoint, wanted, service is not None)
    threads.shutdown(wait=False)
    try:
        driver, window = await _outcome(starting, lambda late: late[0].quit())
    except (WebDriverException, HTTPError, OSError) as error:
        raise EnvironmentDown(reason_of(error)) from error
    return WebDriverSession(driver, endpoint, window, service)


def _opened(endpoint: str, wanted: Options, local: bool) -> tuple[WebDriver, str]:
    """No proxy lies between us and a chromedriver of ours. Selenium warns of a login within the address."""
    from selenium.webdriver.common.proxy import Proxy, ProxyType
    from selenium.webdriver.remote.client_config import ClientConfig
    from selenium.webdriver.remote.remote_connection import RemoteConnection
    from selenium.webdriver.remote.webdriver import WebDriver

    proxy = Proxy({"proxyType": ProxyType.DIRECT if local else ProxyType.SYSTEM})
    address, (name, key) = without_login(endpoint), login_of(endpoint)
    config = ClientConfig(address, proxy=proxy, username=name or None, password=key or None)
    connection = RemoteConnection(client_config=config)
    add: Callable[[str, str, str], None] = connection.add_command
    for name, path in CHROMIUM_COMMANDS.items():
        add(name, "POST", f"/session/$sessionId/{path}")
    driver = WebDriver(command_executor=connection, options=wanted)
    return driver, driver.current_window_handle


async def _outcome(work: Future[T], undo: Callable[[T], None]) -> T:
    """Wait for work in a thread; what it gives after we left is undone there."""

    def late(done: Future[T]) -> None:
        if not done.cancelled() and done.exception() is None:
            with contextlib.suppress(Exception):
                undo(done.result())

    try:
        return await asyncio.shield(asyncio.wrap_future(work))
    except asyncio.CancelledError:
        work.add_done_callback(late)
        raise


async def _in_thread(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work)
