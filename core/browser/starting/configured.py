"""The browser that the settings ask for."""

from __future__ import annotations

from pathlib import Path
from shutil import which

from webbench.core.browser.network.only_hosts import NO_DATAGRAMS
from webbench.core.browser.starting.browser_options import LaunchOptions, screen_for
from webbench.core.browser.starting.find_chromium import named_chromium
from webbench.core.settings.settings import Settings


def configured_launch(settings: Settings) -> LaunchOptions:
    """How to start the browser."""
    browser = settings.browser
    return LaunchOptions(
        extra_args=NO_DATAGRAMS if settings.guard.hosts else (),
        headless=browser.headless,
        executable=configured_chromium(settings),
        driver=browser.driver,
        endpoint=browser.endpoint,
        input=browser.input,
        display=browser.display,
        screen=screen_for(settings.viewport.width, settings.viewport.height),
        sandbox={"auto": None, "on": True, "off": False}[browser.sandbox],
    )


def configured_chromium(settings: Settings) -> Path | None:
    """The Chromium that is to be started, None for the one that is found.

    With the driver Firefox it is the Firefox; a name that holds no "firefox" is meant for the other drivers.
    """
    named = settings.browser.executable
    if settings.browser.driver == "firefox":
        return Path(which(named) or named) if "firefox" in Path(named).name.lower() else None
    return named_chromium(named) if named else None
