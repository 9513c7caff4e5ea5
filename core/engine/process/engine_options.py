"""How an engine process is set up: passed as JSON in a variable of its environment.

Other users can read a command line, but not that; the address of a browser may have a login in it.
"""

from __future__ import annotations

import msgspec

from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.observation import Viewport

VARIABLE = "WEBBENCH_ENGINE"


class HostOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The store's folder, how to start the browser, and the size of its pages."""

    store: str
    browser: LaunchOptions = LaunchOptions()
    viewport: Viewport = Viewport()
