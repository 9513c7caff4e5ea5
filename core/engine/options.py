"""How an engine process is set up: passed as JSON in its only argument."""

from __future__ import annotations

import msgspec

from webbench.core.browser.launch import LaunchOptions


class HostOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The store's folder and how to start the browser."""

    store: str
    browser: LaunchOptions = LaunchOptions()
