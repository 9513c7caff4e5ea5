"""Preparing a browser context as an episode's setup asks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from webbench.core.browser.driver import (
    ContextOptions,
    DriverBrowser,
    DriverContext,
    DriverPage,
    DriverRequest,
)
from webbench.core.browser.network.request_filter import Gate
from webbench.core.browser.visiting import position
from webbench.core.environment import EnvironmentSetup, NetworkRequest
from webbench.core.errors import ActionFailed, BadData, EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.text import bounded_json
from webbench.core.time_limit import time_limit

CLOSE_SECONDS = 5.0

NO_PRINTING = "window.print = function print() {};"
"""Without a window, `print()` does nothing. In one it shows the browser's own preview, which no action
reaches, and a page that calls it again and again can't be left."""


async def open_context(
    browser: DriverBrowser, setup: EnvironmentSetup, gate: Gate, *, windowed: bool = False
) -> DriverContext:
    """A context with nothing of another episode in it. Raises `EnvironmentDown`, `BadData`.

    Args:
        windowed: the sizes of pages are those of their windows; they can't print.
    """
    options = ContextOptions(
        joins=setup.joins,
        viewport=setup.viewport,
        windowed=windowed,
        locale=setup.locale,
        timezone=setup.timezone,
        position=position(setup),
        storage_state=_logins(setup.storage_state),
        init_script=f"{NO_PRINTING}\n{setup.init_script}" if windowed else setup.init_script,
        only_hosts=setup.only_hosts,
    )
    context = await browser.context(options)
    try:
        await gate.guard(context)
    except BaseException as error:
        with contextlib.suppress(Exception):
            async with time_limit(CLOSE_SECONDS):
                await context.close()
        if isinstance(error, ActionFailed):
            raise EnvironmentDown(f"no fresh browser context: {error.message}") from error
        raise
    return context


def tell_of_requests(
    context: DriverContext, tell: Callable[[NetworkRequest], None], is_aside: Callable[[DriverPage], bool]
) -> None:
    """Pass on what tabs and workers ask for; of pages that are aside, nothing."""

    def begun(request: DriverRequest) -> None:
        page = request.page
        if page is None or not is_aside(page):
            tell(NetworkRequest(request.url, request.method, request.resource_type))

    context.on_request(begun)


def _logins(state: Path | JsonObject | None) -> JsonObject | None:
    if not isinstance(state, Path):
        return state
    if not state.is_file():
        raise BadData(f"the login file {state} is not there", "log in again")
    try:
        logins = bounded_json.decode(state.read_bytes())
    except (OSError, ValueError) as error:
        raise BadData(f"the login file {state} can't be read: {error}", "log in again") from error
    if not isinstance(logins, dict):
        raise BadData(f"the login file {state} holds no logins", "log in again")
    return logins
