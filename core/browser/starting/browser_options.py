"""Options of a browser: how it is to be had."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.browser.network.only_hosts import by_proxy

DriverName = Literal["playwright", "selenium", "firefox"]
InputName = Literal["browser", "desktop"]
REACH_HINTS: Mapping[DriverName, str] = {
    "playwright": (
        "check that it runs and that its DevTools port can be reached; "
        "a Playwright server has to be of the same release as Playwright here"
    ),
    "firefox": "Firefox is only started here",
    "selenium": (
        "check that the Grid (or chromedriver) runs there and has a free slot for chrome; "
        "where it runs as root, its Chromium needs browser.sandbox = off"
    ),
}
"""What to do where nothing answers at an endpoint."""

DIFFERS: Mapping[DriverName, str] = {
    "firefox": (
        "Firefox has no DevTools: roles and names are by rule, what hears clicks is not known, our scripts "
        "run in the page's own world, closed shadow roots are not read, redirects are not held for a task's "
        "filter, and a script that never ends is not stopped"
    ),
}
"""What an observation, and an episode, lacks with a driver; told with each."""

SCREEN = (1920, 1200)
"""Pixels of a private display that nothing larger is asked of; every picture of it is taken whole."""

BARS = (120, 280)
"""Pixels that a display has beyond the page: the browser's own bars, and room for its window's place."""


class LaunchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to get a browser.

    Attributes:
        driver: the software that starts and steers it.
        headless: without a window.
        executable: this Chromium instead of the one `find_chromium` finds.
        extra_args: further command-line switches.
        endpoint: of a browser that runs elsewhere; nothing is started here then. Playwright takes a DevTools
            address (http://… or ws://…) or that of a Playwright server (ws://…), Selenium that of a Grid or
            of any other WebDriver server.
        input: "desktop" for real mouse and keyboard on a display, with a window there.
        display: name of that display; "" is a private one that is started and ended with the browser.
        sandbox: None means on, except for root, for whom Chromium refuses to start with it.
        timeout: seconds that starting may take.
        screen: width and height of a private display in pixels.
        variables: added to the environment of the browser we start.
        devtools: open a DevTools port on this machine, by which a program can join the browser.
    """

    driver: DriverName = "playwright"
    headless: bool = True
    executable: Path | None = None
    extra_args: tuple[str, ...] = ()
    endpoint: str = ""
    input: InputName = "browser"
    display: str = ""
    sandbox: bool | None = None
    timeout: float = 30.0
    screen: tuple[int, int] = SCREEN
    variables: dict[str, str] = {}
    devtools: bool = False

    @property
    def driving(self) -> str:
        """How the browser is driven, in a word: "playwright", or "selenium+desktop"."""
        return self.driver if self.input == "browser" else f"{self.driver}+{self.input}"

    @property
    def windowed(self) -> bool:
        """Whether a browser is started here that has to show a window."""
        return not self.endpoint and (not self.headless or self.input == "desktop")

    @property
    def can_be_joined(self) -> bool:
        """Whether a browser got like this could have a DevTools port of its own."""
        return self.driver == "playwright" and not self.endpoint and self.input == "browser"

    @property
    def by_proxy(self) -> bool:
        """Whether a browser of ours goes out by a proxy; of one that runs elsewhere nothing is known."""
        return not self.endpoint and by_proxy(self.extra_args, self.variables)

    @property
    def sandboxed(self) -> bool:
        """Whether Chromium is to start in its sandbox, here and now."""
        if self.sandbox is not None:
            return self.sandbox
        return not (hasattr(os, "geteuid") and os.geteuid() == 0)


def screen_for(width: int, height: int) -> tuple[int, int]:
    """Size of a private display for pages of this size (CSS px)."""
    return max(SCREEN[0], width + BARS[0]), max(SCREEN[1], height + BARS[1])
