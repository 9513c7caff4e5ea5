"""Pages whose script never returns, told apart from those that wait for their server."""

from __future__ import annotations

import asyncio
import contextlib

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.errors import WebbenchError

ASKING_SECONDS = 1.0
"""Between questions to a page that takes its time."""

LOOK_SECONDS = 0.25
"""How often to see whether something excuses a page that does not answer."""


async def silence(tabs: Tabs, seconds: float) -> None:
    """Returns once the active page has answered nothing for so long, with no excuse.

    A dialog, a request under way (a script may wait for its answer) and another document that is waited for
    are excuses: the browser, or the page, puts questions off meanwhile.
    """
    while True:
        await asyncio.sleep(ASKING_SECONDS)
        tab = tabs.active
        if tab is None or tab.gone:
            continue
        question = asyncio.ensure_future(_answer(tab.page.session))
        try:
            silent = 0.0
            while not question.done():
                await asyncio.wait([question], timeout=LOOK_SECONDS)
                excused = bool(tabs.dialogs) or tab.activity.fetching or not tab.activity.shows
                silent = 0.0 if excused else silent + LOOK_SECONDS
                if silent >= seconds:
                    return
        finally:
            question.cancel()


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
                await _answer(session)
    except TimeoutError:
        return False
    return True


async def freed(tab: LiveTab, seconds: float) -> None:
    """Before a page is left: stop a script of it that never returns, which would hold the next one up.

    Once something else is being loaded, the browser puts questions off, and this order as well.
    """
    if not tab.activity.commits or not tab.activity.shows:
        return
    question = asyncio.ensure_future(_answer(tab.page.session))
    await asyncio.wait([question], timeout=seconds)
    if not question.done():
        await unstick(tab, seconds)
    question.cancel()


async def unstick(tab: LiveTab, seconds: float) -> None:
    """End a script that never returns; the session was opened before it could begin."""
    for session in await _sessions(tab):
        with contextlib.suppress(WebbenchError, TimeoutError):
            await asyncio.wait_for(session.send("Runtime.terminateExecution"), seconds)
    tab.log.add("error", "error", "a script that did not end was stopped", tab.page.url)


async def _answer(session: CdpSession) -> None:
    """Returns when the page answers, or is gone."""
    with contextlib.suppress(WebbenchError):
        await session.send("Runtime.evaluate", {"expression": "1", "silent": True})


async def _sessions(tab: LiveTab) -> list[CdpSession]:
    """Of the page, and of its frames in other processes."""
    return [tab.page.session, *(frame.session for frame in await tab.page.frames())]
