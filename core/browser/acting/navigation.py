"""The verbs that are about tabs and addresses."""

from __future__ import annotations

import contextlib
import re
import time
from typing import TypeAlias
from urllib.parse import quote_plus

from webbench.core.action.action import (
    Action,
    Back,
    CloseTab,
    FocusTab,
    Forward,
    Goto,
    NewTab,
    Reload,
    Search,
)
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.racing import raced
from webbench.core.browser.stuck import answers, freed, held_up
from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.time_limit import time_limit

LOCAL = re.compile(r"^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d+)?([/?#]|$)", re.IGNORECASE)
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
PORT = re.compile(r"^[^/:]+:\d+([/?#]|$)")
READABLE = ("http", "https", "about", "blob", "data", "file")
EVERYWHERE = ("http", "https", "blob")
BLANK = "about:blank"
GIVEN_UP = "net::ERR_ABORTED"
NO_CONTENT = (204, 205)
MOST_TRIES = 3
"""To go to an address while the page goes on to others by itself."""
QUICK_SECONDS = 0.5
"""In which a page answers that has said much and is calm again; one that still floods is behind."""

Leaving: TypeAlias = Goto | Search | Back | Forward | Reload
LEAVING = (Goto, Search, Back, Forward, Reload)
"""Verbs that put another document into the tab."""

ALWAYS_GO = (*LEAVING, NewTab, CloseTab)
"""Verbs by which an actor gets away from a page, whatever it does: no dialog and no script holds them up."""


def address(text: str) -> str:
    """What a person means who types this into the address bar.

    Raises `ActionFailed` for code to run and for the browser's own pages.
    """
    text = text.strip()
    if not text:
        raise ActionFailed("there is no address to go to")
    if LOCAL.match(text):
        return f"http://{text}"
    if not SCHEME.match(text) or PORT.match(text):
        return f"https://{text}"
    if scheme_of(text) not in READABLE:
        raise _refused(text)
    return text


def permitted(url: str, start_urls: tuple[str, ...]) -> str:
    """The address, if an actor may open it: local files and inline pages only where the task begins at such.

    Raises `ActionFailed`.
    """
    scheme = scheme_of(url)
    if scheme in EVERYWHERE or url.lower() == BLANK:
        return url
    if scheme in ("data", "file") and scheme in map(scheme_of, start_urls):
        return url
    raise _refused(url)


def search_address(template: str, query: str) -> str:
    """Where a search engine shows what it finds. Raises `ActionFailed` where there is none, or no query."""
    if not template:
        raise ActionFailed("this task names no search engine", "open an address, or use a page's own search")
    if not query.strip():
        raise ActionFailed("there is nothing to search for", "say what you look for")
    return template.replace("{query}", quote_plus(query.strip()))


def scheme_of(url: str) -> str:
    return url.strip().partition(":")[0].lower()


def _refused(url: str) -> ActionFailed:
    if scheme_of(url) == "about":
        return ActionFailed(f"{url[:100]} can't be opened", f"{BLANK} is the only address of its kind")
    return ActionFailed(
        f"addresses beginning with {scheme_of(url)}: can't be opened", "use an http or https address"
    )


async def load(tab: LiveTab, url: str, patience: Patience) -> bool:
    """Begin to load an address; returns once the document is there.

    Returns:
        Whether it came to stay. If not, the page that was there has gone on to another document meanwhile,
        which takes the place of this one.

    Raises `ActionFailed`.
    """
    activity = tab.activity
    activity.expect()
    commits = activity.commits
    deadline = time.monotonic() + patience.navigation
    try:
        async with time_limit(patience.navigation):
            answer = await tab.page.session.send("Page.navigate", {"url": url})
    except TimeoutError as error:
        raise _late(url, patience) from error
    except (ActionFailed, EnvironmentDown) as error:
        raise ActionFailed(f"{url} could not be opened: {error.message}") from error
    failure = str(answer.get("errorText", ""))
    if not failure:
        loader = answer.get("loaderId", "")
        if loader and not await _committed(tab, loader, commits, deadline):
            raise _late(url, patience)
        return not loader or _stays(tab, loader)
    left = activity.commits != commits or activity.loader not in ("", answer.get("loaderId", ""))
    given_up = failure.startswith(GIVEN_UP) and not answer.get("isDownload")
    if left and given_up and not tab.gate.refusal(url):
        return False
    if failure.startswith(GIVEN_UP) or tab.gate.refusal(url):
        reason = _why_nothing_loaded(tab, url, downloaded=bool(answer.get("isDownload")))
        raise ActionFailed(f"nothing was loaded from {url}: {reason}", f"the tab still shows {tab.page.url}")
    raise ActionFailed(f"{url} could not be opened: {failure}")


async def _committed(tab: LiveTab, loader: str, before: int, deadline: float) -> bool:
    """Wait until the document has come, or one that was asked for after it.

    Another may come `before` it: the one that the page that is left has asked for itself.
    """
    activity = tab.activity
    while loader not in activity.came and not tab.gone:
        if activity.commits != before and activity.loader != loader:
            return True
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            return False
        await activity.change(remaining)
    return True


def _stays(tab: LiveTab, loader: str) -> bool:
    """Whether a document came, and no other takes its place; of some the browser tells no loader."""
    activity = tab.activity
    came = loader in activity.came or activity.loader == "" or tab.gone
    return came and activity.overtaken != loader


def _late(url: str, patience: Patience) -> ActionFailed:
    return ActionFailed(
        f"{url} did not answer within {patience.navigation:g} s", "wait for it, or go elsewhere"
    )


def _why_nothing_loaded(tab: LiveTab, url: str, *, downloaded: bool) -> str:
    """The reason where the tab stays as it was."""
    if refusal := tab.gate.refusal(url):
        return refusal
    if downloaded:
        return "it is a file to download, which the messages of the next observation tell about"
    if tab.activity.status in NO_CONTENT:
        return f"it answered {tab.activity.status}, which means that there is nothing to show"
    return "the browser gave up loading it"


class Navigation:
    """Carries out tab and address verbs in one context."""

    VERBS = (*LEAVING, NewTab, FocusTab, CloseTab)

    def __init__(self, tabs: Tabs, patience: Patience, setup: EnvironmentSetup) -> None:
        self._tabs = tabs
        self._patience = patience
        self._start_urls = setup.start_urls
        self._search = setup.search

    async def perform(self, action: Action, tab: LiveTab) -> None:
        """Do it. Raises `ActionFailed`."""
        if isinstance(action, LEAVING):
            await self._leave(action, tab)
        elif isinstance(action, NewTab):
            url = self._address(action.url) if action.url else ""
            fresh = await self._tabs.new()
            if url:
                await load(fresh, url, self._patience)
        elif isinstance(action, FocusTab):
            await self._focus(action.index)
        elif isinstance(action, CloseTab):
            await self._close(tab if action.index is None else self._at(action.index))

    async def _leave(self, action: Leaving, tab: LiveTab) -> None:
        """Put another document into the tab, or a new tab in place of one that does not answer."""
        url, entry = await self._goal(action, tab)
        overrun = tab.flood.rages and not await answers(tab, QUICK_SECONDS)
        if not overrun and not await self._tabs.insists(tab) and await freed(tab, self._patience.probe):
            for _ in range(MOST_TRIES):
                way = self._change(action, tab, url, entry)
                async with raced(way, None, hopeless=held_up(tab, self._patience.probe)) as race:
                    if race.done and await race.work:
                        return
                    if not race.done:
                        break
        await load(await self._tabs.replace(tab), url, self._patience)

    async def _goal(self, action: Leaving, tab: LiveTab) -> tuple[str, int | None]:
        """The address that the tab is to show, and the id of its entry in the history, where it has one."""
        if isinstance(action, Goto):
            return self._address(action.url), None
        if isinstance(action, Search):
            return self._address(search_address(self._search, action.query)), None
        if isinstance(action, Reload):
            return tab.page.url, None
        entry = await _entry(tab, -1 if isinstance(action, Back) else 1)
        return entry["url"], entry["id"]

    async def _change(self, action: Leaving, tab: LiveTab, url: str, entry: int | None) -> bool:
        """Whether the page let it. Of another page of the history that isn't known: it has no answer."""
        if isinstance(action, Reload):
            await self._reload(tab)
        elif entry is None:
            return await load(tab, url, self._patience)
        else:
            tab.activity.requested = True
            await tab.page.session.send("Page.navigateToHistoryEntry", {"entryId": entry})
        return True

    def _address(self, text: str) -> str:
        return permitted(address(text), self._start_urls)

    async def _reload(self, tab: LiveTab) -> None:
        """The browser answers at once; what becomes of it, the tab's activity tells."""
        activity = tab.activity
        before = activity.commits
        activity.expect()
        activity.requested = True
        await tab.page.session.send("Page.reload")
        deadline = time.monotonic() + self._patience.navigation
        while activity.navigating and activity.commits == before and time.monotonic() < deadline:
            await activity.change(deadline - time.monotonic())
        failure = activity.failure or ("" if activity.commits != before else "nothing was loaded")
        if failure:
            raise ActionFailed(f"{tab.page.url} could not be loaded again: {failure}")

    async def _focus(self, index: int) -> None:
        tab = self._at(index)
        self._tabs.focus(tab)
        await bring_to_front(tab)

    async def _close(self, tab: LiveTab) -> None:
        """Close a tab; a page that wants to be asked first is asked, and a dialog shows."""
        if await self._tabs.insists(tab):
            self._tabs.abandon(tab)
            return
        tab.closing = True
        with contextlib.suppress(TimeoutError, ActionFailed):
            async with time_limit(self._patience.probe):
                await tab.page.session.send("Page.close")
                await tab.left.wait()
        if not tab.closed:
            self._tabs.abandon(tab)

    def _at(self, index: int) -> LiveTab:
        if 0 <= index < len(self._tabs.open):
            return self._tabs.open[index]
        last = len(self._tabs.open) - 1
        raise ActionFailed(f"there is no tab {index}", f"tabs are numbered 0 to {last}")


async def _entry(tab: LiveTab, step: int) -> Json:
    """The page so many steps away in the tab's history. Raises `ActionFailed` where there is none."""
    history = await tab.page.session.send("Page.getNavigationHistory")
    index = history["currentIndex"] + step
    if not 0 <= index < len(history["entries"]):
        raise ActionFailed(f"there is no page to go {'back' if step < 0 else 'forward'} to")
    return history["entries"][index]


async def bring_to_front(tab: LiveTab) -> None:
    await tab.page.session.send("Page.bringToFront")
