"""How a browser is to be had."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec

REACH_HINT = "check that it runs and that its DevTools port can be reached"


DriverName = Literal["playwright", "selenium"]


class LaunchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to get a browser.

    Attributes:
        driver: the software that starts and steers it.
        headless: without a window.
        executable: this Chromium instead of the one `find_chromium` finds.
        extra_args: further command-line switches.
        endpoint: DevTools address of a running browser (http://… or ws://…), for Selenium the address of a
            Grid or chromedriver; nothing is started here then.
        sandbox: None means on, except for root, for whom Chromium refuses to start with it.
        timeout: seconds that starting may take.
    """

    driver: DriverName = "playwright"
    headless: bool = True
    executable: Path | None = None
    extra_args: tuple[str, ...] = ()
    endpoint: str = ""
    sandbox: bool | None = None
    timeout: float = 30.0

    @property
    def sandboxed(self) -> bool:
        """Whether Chromium is to start in its sandbox, here and now."""
        if self.sandbox is not None:
            return self.sandbox
        return not (hasattr(os, "geteuid") and os.geteuid() == 0)
