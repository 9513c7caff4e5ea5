"""The tabs of one browser context: which there are, which is active, and what is done to those that come."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from webbench.core.browser.acting.file_dialog import FileDialogs
from webbench.core.browser.driver import (
    SCORED,
    CdpSession,
    DriverContext,
    DriverDialog,
    DriverPage,
)
from webbench.core.browser.elements.elements import Elements, Rest
from webbench.core.browser.kept_downloads import KeptDownloads
from webbench.core.browser.network.activity import Activity
from webbench.core.browser.network.flood import Flood
from webbench.core.browser.network.request_filter import Gate
from webbench.core.browser.open_dialogs import OpenDialogs, dismissed
from webbench.core.browser.page_log import PageLog
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.browser.seeing.style_sheets import NETWORK_BUFFERS, StyleSheets
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.time_limit import time_limit

MOST_TABS = 40
"""A page may open tabs without end; those beyond are closed at once."""

ATTACH_SECONDS = 5.0
"""Until a new tab answers; one that does not is closed."""

LOOK_SECONDS = 0.25
"""How often to see whether a dialog holds it up, or a late browser has answered."""

WATCH_SECONDS = 2.0
"""Between questions to the browser itself."""

LATE_SECONDS = 2.0
"""After so long without an answer it has no time left beside what a page does."""


_EMPTY_FRAMES = """(() => {
  for (let at = 0; at < frames.length; at += 1) frames[at].location.replace("about:blank");
  return frames.length;
})()"""


class LiveTab:
    """One tab and what we know of it without asking it.

    Attributes:
        crashed, closed: its renderer died, or it is gone.
        rest: how the wait for its document to come to rest has last ended.
        closing: it is to be closed once its page agrees to be left.
        wanted: the actor, and no page, has opened it.
        left: set when it is closed.
    """

    def __init__(self, page: DriverPage, log: PageLog, snapshotter: Snapshotter, gate: Gate) -> None:
        self.page = page
        self.log = log
        self.gate = gate
        self.elements = Elements(page, snapshotter)
        self.activity = Activity(page.session, page.frame_id, log)
        self.flood = Flood(page.session, page.frame_id, log)
        self.file_dialogs = FileDialogs(page)
        snapshotter.worlds.sheets[page.session] = StyleSheets(page.session, page.frame_id)
        self.crashed = False
        self.closed = False
        self.rest: Rest = "calm"
        self.closing = False
        self.wanted = False
        self.left = asyncio.Event()
        self.title = ""

    @property
    def gone(self) -> bool:
        return self.crashed or self.closed


class Tabs:
    """Follows a context: popups join and become active, a closed tab gives way to the last one before.

    Args:
        ready: what is to be done to a tab before anybody acts on it; may raise `WebbenchError`.

    Attributes:
        acting: an action is being carried out, which may close tabs.
        taken: how the active tab was closed while nobody acted, "" where it wasn't.
    """

    def __init__(
        self,
        context: DriverContext,
        log: PageLog,
        downloads: Path | None,
        gate: Gate,
        ready: Callable[[DriverPage], Awaitable[None]] | None = None,
    ) -> None:
        self.context = context
        self.open: list[LiveTab] = []
        self.active: LiveTab | None = None
        self.dialogs = OpenDialogs(log, self._commits, self._do_aside)
        self.snapshotter = Snapshotter()
        self.arrival = asyncio.Event()
        self.acting = False
        self.taken = ""
        self._log = log
        self._downloads = KeptDownloads(log, downloads)
        self._gate = gate
        self._ready = ready
        self._refused: WebbenchError | None = None
        self._attaching: dict[DriverPage, asyncio.Task[LiveTab | None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._recent: list[LiveTab] = []
        self._aside: set[DriverPage] = set()
        self._opening_aside = 0
        self._held: list[DriverPage] = []
        context.on_page(self._page_opened)
        context.on_dialog(self._dialog_opened)
        self._do_aside(self._watch_browser())

    async def new(self) -> LiveTab:
        """Open an empty tab and make it the active one.

        Where there are `MOST_TABS` already, the last one that a page has opened gives way.

        Raises:
            ActionFailed: the actor has opened all of them.
            EnvironmentDown: the browser gave none.
        """
        if self._full:
            popup = next(
                (tab for tab in reversed(self.open) if not tab.wanted and tab is not self.active), None
            )
            if popup is None:
                raise ActionFailed(f"{MOST_TABS} tabs are open, and there may be no more", "close one first")
            self._log.add("popup", "warning", "a tab of a page gave way to a new one", popup.page.url)
            self.abandon(popup)
        page = await self.context.new_page()
        tab = await self._attached(page)
        if tab is None:
            why = f": {self._refused}" if self._refused else ""
            raise EnvironmentDown(f"there is no new tab{why}", "open it again")
        tab.wanted = True
        return tab

    async def join(self) -> None:
        """Take the tabs that are open already, the last one as the active one.

        Raises `EnvironmentDown` where none of them answers.
        """
        for page in self.context.pages:
            if (tab := await self._attached(page)) is not None:
                tab.wanted = True
        if not self.open:
            why = f": {self._refused}" if self._refused else ""
            raise EnvironmentDown(f"no tab of the browser that was joined answers{why}")

    async def open_aside(self) -> DriverPage:
        """A page that is none of the actor's tabs; what it opens or asks is dealt with unseen."""
        self._opening_aside += 1
        try:
            page = await self.context.new_page()
            self._aside.add(page)
        finally:
            self._opening_aside -= 1
            if not self._opening_aside:
                held, self._held = self._held, []
                for other in held:
                    self._page_opened(other)
        page.on_close(lambda: self._aside.discard(page))
        try:
            await page.attach(SCORED)
        except BaseException:
            self._do_aside(_closed_quietly(page))
            raise
        return page

    def is_aside(self, page: DriverPage) -> bool:
        """Whether it is a page opened by `open_aside`."""
        return page in self._aside

    async def arrivals(self, announced: bool, timeout: float) -> None:
        """Wait for a tab that an action has announced, and until every one that came is attached."""
        with contextlib.suppress(TimeoutError):
            async with time_limit(timeout):
                if announced:
                    await self.arrival.wait()
                while coming := tuple(self._attaching.values()):
                    await asyncio.wait(coming)

    def focus(self, tab: LiveTab) -> None:
        self.active = tab
        with contextlib.suppress(ValueError):
            self._recent.remove(tab)
        self._recent.append(tab)

    async def answer(self, accept: bool, text: str) -> None:
        """Answer the first dialog; a tab that waits for it to be closed goes with it."""
        dialog = self.dialogs.waiting[0]
        closing = next((tab for tab in self.open if tab.page == dialog.page and tab.closing), None)
        await self.dialogs.answer(accept, text)
        if closing is not None and dialog.kind == "beforeunload":
            closing.closing = False
            if accept:
                await closing.page.close()

    async def insists(self, tab: LiveTab) -> bool:
        """Whether its page had a dialog open as it was to be left, and has gone on to show others."""
        if self.dialogs.is_leaving(tab.page):
            await _empty_frames(tab)
            await asyncio.sleep(LOOK_SECONDS)
        return self.dialogs.insists(tab.page)

    async def replace(self, tab: LiveTab) -> LiveTab:
        """A new tab in place of one that does not answer, which is closed. Raises as `new` does."""
        place = self.open.index(tab) if tab in self.open else len(self.open)
        url = tab.page.url
        tab.flood.slow_down(tab.page.session)
        if self._full:
            self.abandon(tab)
        fresh = await self.new()
        self.abandon(tab)
        if fresh in self.open:
            self.open.remove(fresh)
            self.open.insert(place, fresh)
        self._log.add("error", "warning", "the page could not be left: its tab gave way to a new one", url)
        return fresh

    def abandon(self, tab: LiveTab) -> None:
        """Close a tab without waiting for it: it is none of the open ones any more."""
        self._do_aside(_closed_quietly(tab.page))
        self._closed(tab)

    async def finish(self) -> None:
        """Stop what still runs in the background, and empty the frames of pages that show dialogs."""
        shown = {dialog.page for dialog in self.dialogs.waiting}
        await asyncio.gather(*(_empty_frames(tab) for tab in self.open if tab.page in shown))
        for task in (*self._background, *self._attaching.values()):
            task.cancel()
        await asyncio.gather(*self._background, *self._attaching.values(), return_exceptions=True)

    @property
    def _full(self) -> bool:
        return len(self.open) + len(self._attaching) >= MOST_TABS

    def _page_opened(self, page: DriverPage) -> None:
        if self._opening_aside:
            self._held.append(page)
            return
        if page in self._aside:
            return
        self.arrival.set()
        if page in self._attaching or any(tab.page == page for tab in self.open):
            return
        if self._full:
            self._log.add("popup", "warning", f"a tab beyond {MOST_TABS} was closed at once", page.url)
            self._do_aside(_closed_quietly(page))
            for tab in self.open:
                tab.flood.slow_down(tab.page.session)
        else:
            self._attaching[page] = asyncio.create_task(self._attach(page))

    async def _attached(self, page: DriverPage) -> LiveTab | None:
        self._page_opened(page)
        task = self._attaching.get(page)
        return await task if task else next((tab for tab in self.open if tab.page == page), None)

    async def _attach(self, page: DriverPage) -> LiveTab | None:
        try:
            if self._aside and await page.opener() in self._aside:
                await _closed_quietly(page)
                return None
            await self._answered(page)
            tab = LiveTab(page, self._log, self.snapshotter, self._gate)
            await page.session.send("Network.enable", NETWORK_BUFFERS)
            await self._gate.watch(page.session)
            if self._ready is not None:
                await self._ready(page)
        except WebbenchError as error:
            self._refused = error
            return None
        finally:
            self._attaching.pop(page, None)
        self._log.listen(page.session)
        page.on_close(lambda: self._closed(tab))
        page.on_crash(lambda: self._crashed(tab))
        page.on_download(lambda download: self._do_aside(self._downloads.keep(download)))
        self.open.append(tab)
        if page.closed:
            self._closed(tab)
        else:
            if self.active is not None:
                self._log.add("popup", "info", "a new tab opened", page.url)
            self.focus(tab)
        return tab

    async def _answered(self, page: DriverPage) -> None:
        """Attach to a tab that came. Raises `EnvironmentDown` where it does not answer, and closes it."""
        attached = asyncio.ensure_future(page.attach())
        left = ATTACH_SECONDS
        try:
            while not attached.done() and left > 0:
                began = time.monotonic()
                await asyncio.wait([attached], timeout=LOOK_SECONDS)
                if not any(dialog.page == page for dialog in self.dialogs.waiting):
                    left -= time.monotonic() - began
            if attached.done():
                return await attached
        finally:
            attached.cancel()
        self._log.add("popup", "warning", "a new tab that did not answer was closed", page.url)
        self._do_aside(_closed_quietly(page))
        raise EnvironmentDown("the new tab did not answer")

    def _closed(self, tab: LiveTab) -> None:
        if self.active is tab and not (tab.closing or self.acting):
            self.taken = f"{tab.page.url} was closed from outside"
        tab.closed = True
        tab.left.set()
        self.dialogs.forget(tab.page)
        with contextlib.suppress(ValueError):
            self.open.remove(tab)
        with contextlib.suppress(ValueError):
            self._recent.remove(tab)
        if self.active is tab and self._recent:
            self.active = self._recent[-1]

    def _crashed(self, tab: LiveTab) -> None:
        tab.crashed = True
        self._log.add("crash", "error", "the page crashed", tab.page.url)

    def _dialog_opened(self, dialog: DriverDialog) -> None:
        if dialog.page in self._aside:
            self._do_aside(dismissed(dialog))
        else:
            self.dialogs.add(dialog)

    def _commits(self, page: DriverPage | None) -> int:
        """How many documents a page has shown."""
        return next((tab.activity.commits for tab in self.open if tab.page == page), 0)

    async def _watch_browser(self) -> None:
        """Make all tabs slow while the browser itself gives no answer: what one of them does may be why.

        Thousands of titles a second in a window take all of a browser's time, and what it is asked then
        stands behind those that came before.
        """
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self.active is None or self.active.gone:
                continue
            asked = asyncio.ensure_future(_answer_of_browser(self.active.page.session))
            try:
                await asyncio.wait([asked], timeout=LATE_SECONDS)
                while not asked.done():
                    for tab in self.open:
                        tab.flood.browser_late()
                    await asyncio.wait([asked], timeout=LOOK_SECONDS)
            finally:
                asked.cancel()

    def _do_aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


async def _empty_frames(tab: LiveTab) -> None:
    """Chromium ends if a tab goes while a frame of it that lives in another process shows a dialog."""
    with contextlib.suppress(WebbenchError, TimeoutError):
        async with time_limit(LOOK_SECONDS):
            answer = await tab.page.session.send("Runtime.evaluate", {"expression": _EMPTY_FRAMES})
            if answer["result"].get("value"):
                await asyncio.sleep(LOOK_SECONDS)


async def _closed_quietly(page: DriverPage) -> None:
    with contextlib.suppress(Exception):
        await page.close()


async def _answer_of_browser(session: CdpSession) -> None:
    """Returns when the browser answers what it does not hand on to the page, or the page is gone."""
    with contextlib.suppress(WebbenchError):
        await session.send("Target.getTargetInfo")
