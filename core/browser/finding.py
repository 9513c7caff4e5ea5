"""Finding a Chromium that is installed, and asking it whether it runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from webbench.core.errors import EnvironmentDown

ENVIRONMENT_VARIABLE = "WEBBENCH_CHROMIUM"
INSTALL_HINT = (
    "install one with `make setup` or `playwright install chromium`, "
    f"or set {ENVIRONMENT_VARIABLE} to the path of a Chromium, Chrome or Edge"
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
VERSION_SECONDS = 30.0


def find_chromium() -> Path:
    """The Chromium to use: WEBBENCH_CHROMIUM, Playwright's own build, then what the system has.

    Raises `EnvironmentDown` saying how to get one.
    """
    named = os.environ.get(ENVIRONMENT_VARIABLE, "")
    if named:
        if _executable(Path(named)):
            return Path(named)
        raise EnvironmentDown(f"{ENVIRONMENT_VARIABLE} names {named}, which can't be run", INSTALL_HINT)
    for path in _candidates():
        if _executable(path):
            return path
    raise EnvironmentDown("no Chromium, Chrome or Edge was found", INSTALL_HINT)


def _candidates() -> Iterator[Path]:
    for pattern in PLAYWRIGHT_BUILDS:
        builds = _playwright_folder().glob(pattern)
        yield from sorted(builds, key=lambda path: _build_number(path), reverse=True)
    for command in COMMANDS:
        if found := shutil.which(command):
            yield Path(found)
    yield from map(Path, PLACES)


def _playwright_folder() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named and named != "0":
        return Path(named)
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "ms-playwright"


def _build_number(path: Path) -> int:
    folder = next((part for part in path.parts if part.startswith("chromium-")), "")
    digits = folder.removeprefix("chromium-")
    return int(digits) if digits.isdigit() else 0


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


def main() -> int:
    """Print path and version of the Chromium that is used; the exit code is 3 where there is none."""
    try:
        path = find_chromium()
        print(f"{path}: {chromium_version(path)}")
    except EnvironmentDown as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0
