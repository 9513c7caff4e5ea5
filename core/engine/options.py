"""How an engine process is set up: passed as JSON in its only argument."""

from __future__ import annotations

import msgspec

from webbench.core.browser.launch import LaunchOptions
from webbench.core.observation import Viewport


class HostOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The store's folder, how to start the browser, and the size of its pages."""

    store: str
    browser: LaunchOptions = LaunchOptions()
    viewport: Viewport = Viewport()
