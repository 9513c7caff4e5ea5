"""The tabs of one browser context: which there are, which is active, what dialog holds them up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any
from uuid import uuid4

from webbench.core.browser.activity import Activity
from webbench.core.browser.driver import (
    SCORED,
    DriverContext,
    DriverDialog,
    DriverDownload,
    DriverPage,
)
from webbench.core.browser.elements import Elements
from webbench.core.browser.gate import Gate
from webbench.core.browser.page_log import PageLog
from webbench.core.browser.snapshot import Snapshotter
from webbench.core.browser.style_sheets import NETWORK_BUFFERS, StyleSheets
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.observation import Dialog

MOST_TABS = 40
"""A page may open tabs without end; those beyond are closed at once."""


class LiveTab:
    """One tab and what we know of it without asking it.

    Attributes:
        crashed, closed: its renderer died, or it is gone.
        restless: its document never came to rest when last waited for.
        closing: it is to be closed once its page agrees to be left.
        left: set when it is closed.
    """

    def __init__(self, page: DriverPage, log: PageLog, snapshotter: Snapshotter, gate: Gate) -> None:
        self.page = page
        self.log = log
        self.gate = gate
        self.elements = Elements(page, snapshotter)
        self.activity = Activity(page.session, page.frame_id, log)
        snapshotter.worlds.sheets[page.session] = StyleSheets(page.session, page.frame_id)
        self.crashed = False
        self.closed = False
        self.restless = False
        self.closing = False
        self.left = asyncio.Event()
        self.title = ""

    @property
    def gone(self) -> bool:
        return self.crashed or self.closed


class Tabs:
    """Follows a context: popups join and become active, a closed tab gives way to the last one before.

    Args:
        ready: what is to be done to a tab before anybody acts on it; may raise `WebbenchError`.
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
        self.dialogs: list[DriverDialog] = []
        self.dialog_opened = asyncio.Event()
        self.snapshotter = Snapshotter()
        self.arrival = asyncio.Event()
        self._log = log
        self._downloads = downloads
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

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that must be answered first."""
        if not self.dialogs:
            return None
        dialog = self.dialogs[0]
        return Dialog(dialog.kind, dialog.message, dialog.default)

    async def new(self) -> LiveTab:
        """Open an empty tab and make it the active one.

        Raises:
            ActionFailed: there are `MOST_TABS` already.
            EnvironmentDown: the browser gave none.
        """
        if self._full:
            raise ActionFailed(f"{MOST_TABS} tabs are open, and there may be no more", "close one first")
        page = await self.context.new_page()
        tab = await self._attached(page)
        if tab is None:
            why = f": {self._refused}" if self._refused else ""
            raise EnvironmentDown(f"there is no new tab{why}", "open it again")
        return tab

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
        if announced:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.arrival.wait(), timeout)
        await asyncio.gather(*self._attaching.values())

    def focus(self, tab: LiveTab) -> None:
        self.active = tab
        with contextlib.suppress(ValueError):
            self._recent.remove(tab)
        self._recent.append(tab)

    async def answer(self, accept: bool, text: str) -> None:
        """Answer the first dialog; it closes even where the page closes with it."""
        dialog = self.dialogs.pop(0)
        closing = next((tab for tab in self.open if tab.page == dialog.page and tab.closing), None)
        with contextlib.suppress(Exception):
            await (dialog.accept(text if dialog.kind == "prompt" else None) if accept else dialog.dismiss())
        if not self.dialogs:
            self.dialog_opened.clear()
        if closing is not None and dialog.kind == "beforeunload":
            closing.closing = False
            if accept:
                await closing.page.close()

    async def finish(self) -> None:
        """Stop what still runs in the background."""
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
            await page.attach()
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
        page.on_download(self._download_started)
        self.open.append(tab)
        if page.closed:
            self._closed(tab)
        else:
            if self.active is not None:
                self._log.add("popup", "info", "a new tab opened", page.url)
            self.focus(tab)
        return tab

    def _closed(self, tab: LiveTab) -> None:
        tab.closed = True
        tab.left.set()
        self.dialogs = [dialog for dialog in self.dialogs if dialog.page != tab.page]
        if not self.dialogs:
            self.dialog_opened.clear()
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
            self._do_aside(_dismissed(dialog))
            return
        self.dialogs.append(dialog)
        self._log.add("dialog", "info", f"{dialog.kind}: {dialog.message}")
        self.dialog_opened.set()

    def _download_started(self, download: DriverDownload) -> None:
        self._do_aside(self._keep(download))

    def _do_aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _keep(self, download: DriverDownload) -> None:
        name = download.name
        try:
            if self._downloads is None:
                await download.cancel()
                self._log.add("download", "warning", f"{name} was not kept", download.url)
                return
            place = await _saved(download, self._downloads)
            self._log.add("download", "info", f"{name} was saved as {place.name}", download.url)
        except (WebbenchError, OSError) as error:
            self._log.add("download", "error", f"{name} could not be saved: {error}", download.url)


async def _closed_quietly(page: DriverPage) -> None:
    with contextlib.suppress(Exception):
        await page.close()


async def _dismissed(dialog: DriverDialog) -> None:
    with contextlib.suppress(Exception):
        await dialog.dismiss()


async def _saved(download: DriverDownload, folder: Path) -> Path:
    """Write under a hidden name and rename when complete: whoever reads the folder sees whole files only."""
    part = folder / f".{uuid4().hex}.part"
    try:
        await download.save(part)
        return _named(part, download.name)
    finally:
        _discard(part)


def _named(part: Path, name: str) -> Path:
    return part.rename(_free_place(part.parent, name))


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)


def _free_place(folder: Path, name: str) -> Path:
    """A file of that name in the folder, numbered where one exists; the page's name is only a name."""
    clean = Path(name.replace("\\", "/")).name.lstrip(".") or "download"
    place = folder / clean
    number = 2
    while place.exists():
        place = folder / f"{Path(clean).stem}-{number}{Path(clean).suffix}"
        number += 1
    return place
