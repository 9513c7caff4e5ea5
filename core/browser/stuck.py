"""Pages whose script never returns, told apart from those that wait for their server."""

from __future__ import annotations

import asyncio
import contextlib

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.errors import WebbenchError
from webbench.core.time_limit import time_limit

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
                excused = bool(tabs.dialogs.waiting) or tab.activity.fetching or not tab.activity.shows
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
        async with time_limit(seconds):
            for session in await _sessions(tab):
                await _answer(session)
    except TimeoutError:
        return False
    return True


async def freed(tab: LiveTab, seconds: float) -> bool:
    """Before a page is left: stop a script of it that never returns, which would hold the next one up.

    Once something else is being loaded, the browser puts questions off, and this order as well.

    Returns:
        Whether the page answers, so that another one can take its place in this tab.
    """
    if not tab.activity.commits or not tab.activity.shows or await answers(tab, seconds):
        return True
    await unstick(tab, seconds)
    return await answers(tab, seconds / 2)


async def held_up(tab: LiveTab, seconds: float) -> None:
    """Returns once the page that is to be left has kept the next one off for so long.

    The browser has not begun to ask for it (the page is still asked whether it may be left), or it has the
    answer and can't show it. As long as it is the server that is waited for, nothing is held up.
    """
    activity = tab.activity
    commits, waited = activity.commits, 0.0
    while waited < seconds:
        await asyncio.sleep(LOOK_SECONDS)
        kept_off = activity.commits == commits and (not activity.asked or activity.status != 0)
        waited = waited + LOOK_SECONDS if kept_off else 0.0


async def unstick(tab: LiveTab, seconds: float) -> None:
    """End a script that never returns; the session was opened before it could begin."""
    with contextlib.suppress(TimeoutError):
        async with time_limit(seconds):
            await asyncio.gather(*map(_stopped, await _sessions(tab)))
    tab.flood.stopped()
    tab.log.add("error", "error", "a script that did not end was stopped", tab.page.url)


async def _stopped(session: CdpSession) -> None:
    with contextlib.suppress(WebbenchError):
        await session.send("Runtime.terminateExecution")


async def answers(tab: LiveTab, seconds: float) -> bool:
    """Whether the page answers a question within so many seconds."""
    question = asyncio.ensure_future(_answer(tab.page.session))
    done, _ = await asyncio.wait([question], timeout=seconds)
    question.cancel()
    return bool(done)


async def _answer(session: CdpSession) -> None:
    """Returns when the page answers, or is gone."""
    with contextlib.suppress(WebbenchError):
        await session.send("Runtime.evaluate", {"expression": "1", "silent": True})


async def _sessions(tab: LiveTab) -> list[CdpSession]:
    """Of the page, and of its frames in other processes."""
    return [tab.page.session, *(frame.session for frame in await tab.page.frames())]
