"""Pages whose script never returns, told apart from those that wait for their server."""

from __future__ import annotations

import asyncio
import contextlib

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.page_log import PageLog
from webbench.core.browser.tabs import LiveTab
from webbench.core.errors import WebbenchError


async def waits_for_server(tab: LiveTab, seconds: float) -> bool:
    """Whether a page that tells nothing is being loaded, and no script of it holds that up.

    A script that never returns lets no other begin. As long as nothing of the new document is there, the
    browser puts every question to the page off, and no script of it can run.
    """
    if not tab.activity.arriving:
        return not tab.activity.shows
    try:
        async with asyncio.timeout(seconds):
            for session in await _sessions(tab):
                with contextlib.suppress(WebbenchError):
                    await session.send("Runtime.evaluate", {"expression": "1", "silent": True})
    except TimeoutError:
        return False
    return True


async def unstick(tab: LiveTab, seconds: float, log: PageLog) -> None:
    """End a script that never returns; the session was opened before it could begin."""
    for session in await _sessions(tab):
        with contextlib.suppress(WebbenchError, TimeoutError):
            await asyncio.wait_for(session.send("Runtime.terminateExecution"), seconds)
    log.add("error", "error", "a script that did not end was stopped", tab.page.url)


async def _sessions(tab: LiveTab) -> list[CdpSession]:
    """Of the page, and of its frames in other processes."""
    return [tab.page.session, *(frame.session for frame in await tab.page.frames())]
