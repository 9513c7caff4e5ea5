"""Preparing a browser context as an episode's setup asks."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webbench.core.browser.gate import Gate
from webbench.core.browser.playwright import first_line
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import BadData, EnvironmentDown

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext

CLOSE_SECONDS = 5.0


async def open_context(browser: Browser, setup: EnvironmentSetup, gate: Gate) -> BrowserContext:
    """A context with nothing of another episode in it. Raises `EnvironmentDown`."""
    from playwright.async_api import Error

    options: dict[str, Any] = {
        "viewport": {"width": setup.viewport.width, "height": setup.viewport.height},
        "device_scale_factor": setup.viewport.device_pixel_ratio,
        "locale": setup.locale,
        "accept_downloads": True,
    }
    if setup.timezone:
        options["timezone_id"] = setup.timezone
    if setup.storage_state is not None:
        if isinstance(setup.storage_state, Path) and not setup.storage_state.is_file():
            raise BadData(f"the login file {setup.storage_state} is not there", "log in again")
        options["storage_state"] = setup.storage_state
    try:
        context = await browser.new_context(**options)
        await _prepare(context, setup, gate)
    except Error as error:
        raise EnvironmentDown(f"no fresh browser context: {first_line(error)}") from error
    return context


async def _prepare(context: BrowserContext, setup: EnvironmentSetup, gate: Gate) -> None:
    """Script and filter; a context that can't be prepared is closed again."""
    try:
        if setup.init_script:
            await context.add_init_script(script=setup.init_script)
        await gate.guard(context)
    except BaseException:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(context.close(), CLOSE_SECONDS)
        raise
