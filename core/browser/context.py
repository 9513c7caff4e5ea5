"""Preparing a browser context as an episode's setup asks."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any

from webbench.core.browser.playwright import first_line
from webbench.core.environment import EnvironmentSetup, NetworkRequest
from webbench.core.errors import BadData, EnvironmentDown

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Route

UNASKED = ("about:", "data:", "blob:", "chrome:", "chrome-extension:")
FILTER_TIMEOUT = 20.0


async def open_context(browser: Browser, setup: EnvironmentSetup) -> BrowserContext:
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
        if not setup.storage_state.is_file():
            raise BadData(f"the login file {setup.storage_state} is not there", "log in again")
        options["storage_state"] = setup.storage_state
    try:
        context = await browser.new_context(**options)
        if setup.init_script:
            await context.add_init_script(script=setup.init_script)
        if setup.request_filter is not None:
            await context.route(_asked_about(setup.passthrough), _router(setup))
    except Error as error:
        raise EnvironmentDown(f"no fresh browser context: {first_line(error)}") from error
    return context


def _asked_about(passthrough: tuple[str, ...]) -> re.Pattern[str]:
    """Every URL but the passthrough ones; the browser's side matches it, so those cost nothing."""
    prefixes = "|".join(re.escape(prefix).replace("/", r"\/") for prefix in (*UNASKED, *passthrough))
    return re.compile(f"^(?!{prefixes})")


def _router(setup: EnvironmentSetup) -> Any:
    decide = setup.request_filter
    assert decide is not None

    async def route(route: Route) -> None:
        from playwright.async_api import Error

        asked = route.request
        request = NetworkRequest(asked.url, asked.method, asked.resource_type)
        with contextlib.suppress(Error):
            try:
                answer = await asyncio.wait_for(decide(request), FILTER_TIMEOUT)
            except Exception:
                await route.abort("failed")
                return
            if answer.decision == "fulfil":
                headers = {"content-type": answer.content_type, "access-control-allow-origin": "*"}
                await route.fulfill(status=answer.status, headers=headers, body=answer.body)
            elif answer.decision == "abort":
                await route.abort("blockedbyclient")
            else:
                await route.continue_()

    return route
