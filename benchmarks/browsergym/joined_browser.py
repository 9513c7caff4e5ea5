"""The browser that an environment has started, joined over its DevTools port."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright.browser import UNPROTECTED, devtools_address
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.browser.starting.configured import configured_launch
from webbench.core.browser.starting.find_chromium import chosen_chromium
from webbench.core.browser.starting.switches import CHROMIUM_ARGUMENTS, OFF, OFF_IN_PLAYWRIGHT
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.observation import DialogueTurn, Observation, ObservationOptions
from webbench.core.settings.settings import Settings

FEATURES = "--disable-features="


class GymWorld(BrowserEnvironment):
    """The environment's tabs, with what was said in its chat."""

    dialogue: tuple[DialogueTurn, ...] = ()

    @property
    def active_target(self) -> str:
        """DevTools' id of the active tab, "" where there is none."""
        tab = self._tabs.active if self._tabs is not None else None
        return tab.page.frame_id if tab is not None and not tab.closed else ""

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        return msgspec.structs.replace(await super().observe(options), dialogue=self.dialogue)


def chromium_options(settings: Settings) -> JsonObject:
    """How its Chromium is started; see `foreign/browser_launch.py`. Raises `EnvironmentDown`."""
    options = configured_launch(settings)
    switches = (*CHROMIUM_ARGUMENTS, *options.extra_args)
    return {
        "executable_path": str(chosen_chromium(options.executable, windowed=not options.headless)),
        "headless": options.headless,
        "chromium_sandbox": options.sandboxed,
        "args": [one for one in switches if not one.startswith(FEATURES)],
        "left_out": [UNPROTECTED],
        "off": [*OFF_IN_PLAYWRIGHT, *OFF],
    }


async def reached_browser(folder: Path, versions: dict[str, str]) -> Browser:
    """The browser whose profile lies in this folder. Raises `EnvironmentDown`.

    Args:
        versions: of the environment's software, for the record.
    """
    try:
        address = await asyncio.to_thread(devtools_address, folder)
    except EnvironmentDown as error:
        told = "the environment started no browser, or one that opens no DevTools port"
        raise EnvironmentDown(told, "its package has to start Chromium by Playwright") from error
    browser = Browser(LaunchOptions(endpoint=address))
    try:
        await browser.connected()
    except BaseException:
        await browser.close()
        raise
    browser.versions |= versions
    return browser
