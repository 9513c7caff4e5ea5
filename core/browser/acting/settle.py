"""Waiting until a page has answered an action, with no fixed sleep: quiet documents are left at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from webbench.core.errors import ActionFailed

if TYPE_CHECKING:
    from webbench.core.browser.tabs import LiveTab


MOST_DOCUMENTS = 20
"""In a row that one action is followed through; as many redirects as Chromium follows (net::URLRequest)."""


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of waiting, in seconds.

    Attributes:
        deadline: an action with all that it waits for, whatever the page does. All other bounds lie within.
        action: what an evaluator or a guard asks a page for.
        navigation: until a new document is parsed.
        images: after that, until everything in it is loaded.
        requests: for requests that the action caused, and for what is said over WebSockets then.
        answer: until a WebSocket that was opened, or written to, gives its first answer.
        lull: a WebSocket that was not heard from for so long (a new one: for twice it) has said it all.
        quiet: a document that didn't change for so long is settled.
        restless: at most so long for a document that keeps changing; a tenth of it once it is known to.
        popup: until an announced new tab appears.
        probe: until a page that seems stuck answers.
        script: a script that holds its page up for so long is stopped (Firefox asks after as long).
    """

    deadline: float = 15.0
    action: float = 10.0
    navigation: float = 10.0
    images: float = 2.0
    requests: float = 4.0
    answer: float = 1.0
    lull: float = 0.5
    quiet: float = 0.02
    restless: float = 1.2
    popup: float = 3.0
    probe: float = 2.0
    script: float = 8.0

    @property
    def rescue(self) -> float:
        """What is kept of the deadline for a page that did not answer: to ask why, and to stop its script."""
        return min(2 * self.probe, self.deadline / 3)


class Deadline:
    """The end of one action or observation, which all that it waits for share.

    Attributes:
        seconds: that there are in all.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds; 0 once it is over."""
        return max(0.0, self._end - time.monotonic())


async def settle(tab: LiveTab, patience: Patience) -> bool:
    """Wait for navigation, requests, talk over WebSockets, DOM changes and finite animations.

    False if the page still loads, or goes from document to document without end.
    """
    deadline = time.monotonic() + patience.requests
    last = tab.activity.commits + MOST_DOCUMENTS
    while tab.activity.commits < last:
        if not await loaded(tab, patience):
            return False
        commits = tab.activity.commits
        await _quiet(tab, patience)
        if tab.activity.navigating or tab.activity.commits != commits:
            continue
        remaining = deadline - time.monotonic()
        if not _busy(tab, patience) or remaining <= 0 or tab.gone:
            return True
        while (busy := _busy(tab, patience)) and not tab.activity.navigating and time.monotonic() < deadline:
            await tab.activity.change(min(busy, deadline - time.monotonic()))
    return False


def _busy(tab: LiveTab, patience: Patience) -> float:
    """Seconds to wait for what the page has asked for, unless something happens before; 0 = nothing."""
    talk = tab.activity.sockets.left(patience.answer, patience.lull)
    return patience.requests if tab.activity.fetching else talk


async def is_changing(tab: LiveTab, patience: Patience) -> bool:
    """Whether the page is still being drawn; it is looked at again where it was when last waited for."""
    if tab.rest == "growing":
        await _quiet(tab, patience)
    talks = tab.activity.sockets.left(patience.answer, patience.lull) > 0
    return tab.rest == "growing" or tab.activity.incomplete or talks


async def loaded(tab: LiveTab, patience: Patience) -> bool:
    """Wait until the main document is parsed, and a little for the rest of it."""
    activity = tab.activity
    deadline = time.monotonic() + patience.navigation
    while activity.navigating and not tab.gone:
        if time.monotonic() >= deadline:
            return False
        await activity.change(deadline - time.monotonic())
    deadline = time.monotonic() + patience.images
    while activity.loading and not tab.gone and time.monotonic() < deadline:
        await activity.change(deadline - time.monotonic())
    return True


async def _quiet(tab: LiveTab, patience: Patience) -> None:
    """The document's own word that it is at rest; a navigation meanwhile ends the wait."""
    cap = patience.restless if tab.rest == "calm" else patience.restless / 10
    try:
        tab.rest = await tab.elements.wait_quiet(patience.quiet * 1000, cap * 1000)
    except ActionFailed:
        return
