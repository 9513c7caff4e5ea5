"""Pages whose script never returns."""

from __future__ import annotations

import asyncio
import contextlib

from webbench.core.browser.page_log import PageLog
from webbench.core.browser.tabs import LiveTab
from webbench.core.errors import WebbenchError


async def unstick(tab: LiveTab, seconds: float, log: PageLog) -> None:
    """End a script that never returns; the session was opened before it could begin."""
    for session in (tab.page.session, *(frame.session for frame in await tab.page.frames())):
        with contextlib.suppress(WebbenchError, TimeoutError):
            await asyncio.wait_for(session.send("Runtime.terminateExecution"), seconds)
    log.add("error", "error", "a script that did not end was stopped", tab.page.url)
