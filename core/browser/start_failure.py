"""Why a Chromium did not start, from what it said, and what to do about it."""

from __future__ import annotations

from webbench.core.browser.finding import INSTALL_HINT

LONGEST = 300


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
