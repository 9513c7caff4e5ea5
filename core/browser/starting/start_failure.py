"""Why a browser did not start, from what was said, and what to do about it: again, where it only died."""

from __future__ import annotations

from webbench.core.browser.starting.find_chromium import INSTALL_HINT
from webbench.core.errors import EnvironmentDown

LONGEST = 300
PAUSES = (0.5, 1.0, 2.0)
"""Seconds before a browser that died as it started is started again, each time but the first."""

DIED_HINT = "see that the machine has memory and room to spare; `webbench-tui doctor` checks the browser"
DEATHS = (
    "did exit",
    "has been closed",
    "Connection closed",
    "Chrome instance exited",
    "exited abnormally",
    "crashed",
    "disconnected",
    "unexpectedly exited",
    "Connection refused",
    "Connection aborted",
    "Connection reset",
    "Max retries exceeded",
)
"""What drivers say of a browser, and a connection of a driver, that ended all of a sudden."""

NO_PROGRAM = ("error while loading shared libraries", "cannot execute", "exitCode=126", "exitCode=127")
"""What can't be run today can't be run in a second either."""


class DiedAtStart(EnvironmentDown):
    """The browser, its driver or its display was there, and ended as it started: another may live."""


def not_started(what: str, log: str) -> EnvironmentDown:
    """The error of a start that failed, by all that was said; `DiedAtStart` for mere deaths."""
    told = f"{what} did not start: {telling_line(log)}"
    hint = start_hint(log)
    died = any(words in log for words in DEATHS) and not any(words in log for words in NO_PROGRAM)
    if not died or hint != INSTALL_HINT:
        return EnvironmentDown(told, hint)
    return DiedAtStart(told, DIED_HINT if "signal=SIG" in log else f"{DIED_HINT}; else {INSTALL_HINT}")


def telling_line(log: str) -> str:
    """The line of a launch log that tells most: an error, else the first; "" for an empty log."""
    lines = [line.strip(" -") for line in log.splitlines() if line.strip(" -")]
    telling = [line for line in lines if "FATAL" in line or "ERROR" in line or "cannot" in line.lower()]
    return next(iter(telling or lines), "")[:LONGEST]


def start_hint(log: str) -> str:
    if "No usable sandbox" in log or "without --no-sandbox" in log:
        return "allow user namespaces, or set browser.sandbox = 'off' (for pages that you trust)"
    if "display" in log.lower() or "ozone" in log.lower():
        return "a window needs a display: run headless, or under Xvfb"
    return INSTALL_HINT
