"""Finding a Chromium that is installed, and asking it whether it runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.errors import EnvironmentDown

ENVIRONMENT_VARIABLE = "WEBBENCH_CHROMIUM"
INSTALL_HINT = (
    "install one with `make setup` or `playwright install chromium`, "
    f"or set {ENVIRONMENT_VARIABLE} to the path of a Chromium, Chrome or Edge"
)
HEADLESS_SHELL = "headless-shell"
"""In place of a path: the headless shell that is found."""

HEADLESS_PRODUCT = "HeadlessChrome/"
"""What a Chromium calls itself that has no windows at all; one that is only asked for none does not."""

WINDOW_HINT = (
    f"install a whole one with `playwright install chromium`, or name one with {ENVIRONMENT_VARIABLE}; "
    "without a window (browser.headless = true, --input browser) this one will do"
)
COMMANDS = (
    "chromium",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "chromium-browser",
)
PLACES = (
    "/usr/bin/chromium",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
PLAYWRIGHT_BUILDS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/chrome-mac*/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)
SHELL_BUILDS = (
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
    "chromium_headless_shell-*/chrome-linux*/headless_shell",
    "chromium_headless_shell-*/chrome-mac*/headless_shell",
)
SHELL_COMMANDS = ("chromium-headless-shell", "chrome-headless-shell", "headless-shell", "headless_shell")
SHELL_PLACES = ("/usr/lib/chromium/chromium-headless-shell", "/headless-shell/headless-shell")
VERSION_SECONDS = 30.0


def find_chromium() -> Path:
    """The Chromium to use: WEBBENCH_CHROMIUM, Playwright's own build, what the system has, a headless shell.

    Raises `EnvironmentDown` saying how to get one.
    """
    named = os.environ.get(ENVIRONMENT_VARIABLE, "")
    if named:
        path = named_chromium(named)
        if _executable(path):
            return path
        raise EnvironmentDown(f"{ENVIRONMENT_VARIABLE} names {named}, which can't be run", INSTALL_HINT)
    for path in (*_whole(), *_shells()):
        if _executable(path):
            return path
    raise EnvironmentDown("no Chromium, Chrome or Edge was found", INSTALL_HINT)


def named_chromium(name: str) -> Path:
    """What a path, a command, or the word `HEADLESS_SHELL` stands for; as it is where that is nothing."""
    if found := shutil.which(name):
        return Path(found)
    shells = _shells() if name == HEADLESS_SHELL else ()
    return next(filter(_executable, shells), Path(name))


def chosen_chromium(named: Path | None, *, windowed: bool) -> Path:
    """The one that was named, else the one that is found.

    Raises `EnvironmentDown` where there is none, or where a window is needed and it has none.
    """
    path = named or find_chromium()
    if windowed and is_headless_shell(path):
        raise no_window(path)
    return path


def is_headless_shell(path: Path) -> bool:
    """Whether it goes by the name of Chromium's headless shell, which never shows a window."""
    return any(re.search(r"headless[-_]shell", name) for name in (path.name, path.resolve().name))


def no_window(path: Path | str) -> EnvironmentDown:
    return EnvironmentDown(f"{path} is Chromium's headless shell, which shows no window", WINDOW_HINT)


def _whole() -> Iterator[Path]:
    yield from _builds(PLAYWRIGHT_BUILDS)
    yield from _commands(COMMANDS)
    yield from map(Path, PLACES)


def _shells() -> Iterator[Path]:
    """Headless shells: quicker, but not all of a browser, so they come last."""
    yield from _builds(SHELL_BUILDS)
    yield from _commands(SHELL_COMMANDS)
    yield from map(Path, SHELL_PLACES)


def _builds(patterns: Sequence[str]) -> Iterator[Path]:
    """Playwright's, of each kind the newest first."""
    for pattern in patterns:
        yield from sorted(_playwright_folder().glob(pattern), key=_build_number, reverse=True)


def _commands(names: Sequence[str]) -> Iterator[Path]:
    return (Path(found) for name in names if (found := shutil.which(name)))


def _playwright_folder() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named and named != "0":
        return Path(named)
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "ms-playwright"


def _build_number(path: Path) -> int:
    number = re.search(r"/chromium(?:_headless_shell)?-(\d+)/", str(path))
    return int(number[1]) if number else 0


def _executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def chromium_version(path: Path) -> str:
    """What the program says it is, e.g. "Chromium 156.0.8078.79".

    Raises `EnvironmentDown` for what doesn't run: Ubuntu's `chromium-browser` without its snap, a Chromium
    that lacks libraries.
    """
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, errors="replace", timeout=VERSION_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentDown(f"{path} does not run: {error}", INSTALL_HINT) from error
    said = next((line.strip() for line in answer.stdout.splitlines() if re.search(r"\d+\.\d+", line)), "")
    if answer.returncode != 0 or not said:
        reason = next(iter((answer.stderr or answer.stdout).strip().splitlines()), "it tells no version")
        raise EnvironmentDown(f"{path} does not run: {reason[:200]}", INSTALL_HINT)
    return said


def main(arguments: Sequence[str] = ()) -> int:
    """Print path and version of the Chromium that is used; the exit code is 3 where there is none.

    With `--windowed` one that can show a window is wanted.
    """
    try:
        path = chosen_chromium(None, windowed="--windowed" in arguments)
        print(f"{path}: {chromium_version(path)}")
    except EnvironmentDown as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0
