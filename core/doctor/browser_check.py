"""Whether browsers work here: Chromium, its sandbox, drivers whose versions fit, an endpoint that answers."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

from webbench.core.browser.starting.browser_options import DIFFERS, REACH_HINTS, DriverName, LaunchOptions
from webbench.core.browser.starting.find_chromium import find_chromium
from webbench.core.doctor.finding import Finding, State
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.json_types import Json
from webbench.core.own_python import NOWHERE, child_environment, module_command
from webbench.core.settings.proxies import proxies_checked
from webbench.core.text.addresses import without_secrets
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted

ENDPOINT = "browser endpoint"
ANSWER_SECONDS = 5.0
LARGEST_ANSWER = 1 << 20
VERSION = re.compile(r"\b(\d+)\.\d+\.\d+\.\d+\b")
START_SECONDS = 20.0
_VERSION = re.compile(r"\d+\.\d+\.\d+")


def chromium(browser: LaunchOptions = LaunchOptions(), *, start: bool = True) -> list[Finding]:
    """Whether a browser is there, of what kind, and whether it starts."""
    from webbench.core.browser.starting.find_chromium import INSTALL_HINT, chosen_chromium, is_headless_shell

    try:
        path = chosen_chromium(browser.executable, windowed=browser.windowed)
    except WebbenchError as error:
        return [Finding("Chromium", "problem", error.message, error.hint)]
    code, output = output_of([str(path), "--version"])
    version = next((line.strip() for line in output.splitlines() if _VERSION.search(line)), "")
    if code != 0 or not version:
        detail = f"{path} tells no version: {output.strip()[:200]}"
        return [Finding("Chromium", "problem", detail, INSTALL_HINT)]
    kind = "headless shell, without windows" if is_headless_shell(path) else "whole browser"
    findings = [Finding("Chromium", "ok", f"{version} at {path}: {kind}")]
    return findings + ([_started(path)] if start else [])


def _started(path: Path) -> Finding:
    """A page read by a browser of our own, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="webbench-doctor-", ignore_cleanup_errors=True) as folder:
        command = [str(path), "--headless", "--disable-gpu", f"--user-data-dir={folder}", "--dump-dom"]
        if _is_root():
            command.append("--no-sandbox")
        code, output = output_of([*command, "data:text/html,<p>ready</p>"], START_SECONDS)
    if code == 0 and "<p>ready</p>" in output:
        return Finding("Chromium starts", "ok", "a page was read")
    last = output.strip().splitlines()[-1][:200] if output.strip() else f"exit code {code}"
    return Finding(
        "Chromium starts",
        "problem",
        f"it showed no page: {last}",
        "install its libraries with `playwright install-deps chromium`, or choose another browser",
    )


def sandbox() -> list[Finding]:
    if _is_root():
        return [
            Finding(
                "sandbox",
                "warning",
                "off, because this is root and Chromium refuses to start with it",
                "open pages you do not trust as an ordinary user",
            )
        ]
    for name, blocked in (
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ("user/max_user_namespaces", "0"),
    ):
        if _text(Path("/proc/sys") / name) == blocked:
            mend = f"sysctl {name.replace('/', '.')}={1 - min(int(blocked), 1)}, or Chromium's setuid sandbox"
            return [Finding("sandbox", "warning", f"{name} is {blocked}: Chromium may not start", mend)]
    return [Finding("sandbox", "ok", "user namespaces are allowed")]


def check_drivers(options: LaunchOptions) -> list[Finding]:
    """Playwright and Selenium; what is wrong is a problem only for the one that is chosen.

    At a remote endpoint the browser and its chromedriver are that machine's affair.
    """
    found = [playwright(options)]
    if options.driver == "firefox":
        return [*found, firefox(options)]
    if options.endpoint:
        return [*found, endpoint(options.driver, options.endpoint)]
    return [*found, chromedriver(options)]


def playwright(options: LaunchOptions) -> Finding:
    """Its own process, through which everything goes."""
    name = "Playwright"
    told = _first_line_of(module_command("playwright", "--version"))
    if "Version" not in told:
        detail, mend = f"its driver does not start: {told}", "run `make setup` to install it anew"
        return Finding(name, _state(options, "playwright"), detail, mend)
    return Finding(name, "ok", told.removeprefix("Version "))


def firefox(options: LaunchOptions) -> Finding:
    """Whether there is one, and what it lacks."""
    from webbench.core.browser.firefox.browser import find_firefox

    try:
        path = find_firefox(options.executable)
    except EnvironmentDown as error:
        return Finding("Firefox", "problem", error.message, error.hint)
    told = _first_line_of([str(path), "--version"])
    return Finding("Firefox", "ok", f"{told} at {path}; {DIFFERS['firefox']}")


def chromedriver(options: LaunchOptions) -> Finding:
    """Whether there is one of the browser's version."""
    from webbench.core.browser.selenium.webdriver_session import CHROMEDRIVER_HINT, find_chromedriver

    name, state = "Selenium", _state(options, "selenium")
    selenium = metadata.version("selenium")
    try:
        path = find_chromedriver()
        browser = options.executable or find_chromium()
    except WebbenchError as error:
        return Finding(name, state, error.message, error.hint)
    if path is None:
        detail = f"{selenium}; no chromedriver on the path: Selenium Manager would fetch one from the network"
        return Finding(name, "warning", detail, CHROMEDRIVER_HINT)
    told = _first_line_of([str(path), "--version"])
    driver, chromium = VERSION.search(told), VERSION.search(_first_line_of([str(browser), "--version"]))
    if driver is None:
        return Finding(name, state, f"{path} tells no version: {told}", CHROMEDRIVER_HINT)
    detail = f"{selenium}, chromedriver {driver.group()} at {path}"
    if chromium is not None and chromium.group(1) != driver.group(1):
        return Finding(name, state, f"{detail} does not fit Chromium {chromium.group()}", CHROMEDRIVER_HINT)
    return Finding(name, "ok", detail)


def endpoint(driver: DriverName, address: str) -> Finding:
    """Whether a browser, or a Grid, answers there. Addresses are told without a password in them."""
    shown = without_secrets(address)
    try:
        if urlsplit(address).scheme in ("ws", "wss"):
            return Finding(ENDPOINT, "ok", f"{shown}, not tried: a WebSocket")
        if driver == "selenium":
            return _grid(shown, _asked(f"{address.rstrip('/')}/status"))
        return _devtools(shown, _asked(f"{address.rstrip('/')}/json/version"))
    except EnvironmentDown as error:
        return Finding(ENDPOINT, "problem", f"{shown}: {error.message}", error.hint or REACH_HINTS[driver])


def _grid(shown: str, answer: Json) -> Finding:
    value = answer.get("value") if isinstance(answer, dict) else None
    if not isinstance(value, dict) or not isinstance(value.get("ready"), bool):
        raise EnvironmentDown("what answers there is no WebDriver server")
    nodes = value.get("nodes")
    detail = shown
    if isinstance(nodes, list):
        slots = [slot for node in nodes if isinstance(node, dict) for slot in node.get("slots", ())]
        free = sum(isinstance(slot, dict) and slot.get("session") is None for slot in slots)
        detail += f", a Grid of {counted(len(nodes), 'node')}, {free} of {counted(len(slots), 'slot')} free"
    if not value["ready"]:
        told = plain_clip(str(value.get("message", "")), 200)
        return Finding(ENDPOINT, "problem", f"{detail}; it is not ready: {told}", "start a node, or wait")
    return Finding(ENDPOINT, "ok", detail)


def _devtools(shown: str, answer: Json) -> Finding:
    product = answer.get("Browser") if isinstance(answer, dict) else None
    if not isinstance(product, str):
        raise EnvironmentDown("what answers there is no DevTools server")
    return Finding(ENDPOINT, "ok", f"{shown}, {plain_clip(product, 80)}")


def _asked(url: str) -> Json:
    """The JSON at an address. Raises `EnvironmentDown`."""
    import httpx

    if not url.startswith(("http://", "https://")):
        raise EnvironmentDown("this is no http address", "write http://HOST:PORT")
    try:
        with proxies_checked():
            opened = httpx.Client(timeout=ANSWER_SECONDS)
        with opened as client:
            answer = client.get(url).raise_for_status()
        return decode(answer.content[:LARGEST_ANSWER])
    except httpx.HTTPStatusError as error:
        raise EnvironmentDown(f"it answers {error.response.status_code}") from error
    except httpx.HTTPError as error:
        raise EnvironmentDown(f"no answer: {plain_clip(str(error), 200)}") from error
    except ValueError as error:
        raise EnvironmentDown("it does not answer in JSON") from error


def _state(options: LaunchOptions, driver: DriverName) -> State:
    """How bad it is if this driver does not work."""
    return "problem" if options.driver == driver else "warning"


def _first_line_of(command: list[str]) -> str:
    """The first line that a program writes, or why it wrote none."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=ANSWER_SECONDS,
            check=False,
            cwd=NOWHERE,
            env=child_environment(),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return plain_clip(str(error), 200)
    text = (done.stdout or done.stderr).decode("utf-8", "replace").strip()
    return plain_clip(text.partition("\n")[0], 200) if text else f"exit code {done.returncode}"


def output_of(command: list[str], timeout: float = 10.0) -> tuple[int, str]:
    """Exit code and what was written; a program that hangs is ended with all it started."""
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return -1, f"no answer within {timeout:.0f} s"
            return process.returncode, output.decode("utf-8", "replace")
    except OSError as error:
        return -1, error.strerror or str(error)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
