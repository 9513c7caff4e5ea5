"""The file dialog that a click opens: it stays shut, and we learn which field it is for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from functools import partial
from weakref import WeakSet

import msgspec

from webbench.core.browser.driver import CdpSession, PageTarget
from webbench.core.errors import ActionFailed, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

OPENING_SECONDS = 2.0
"""A page may open it a moment after the click."""

TELLING_SECONDS = 0.25


class FileDialog(msgspec.Struct, frozen=True):
    """The field that it is for, by the node of its session; `several`: it takes more than one file.

    `backend_node_id` is None where a script asks for a file without a field: only a person can choose one.
    """

    session: CdpSession
    backend_node_id: int | None
    several: bool

    async def choose(self, files: list[str]) -> None:
        """Give files to its field. Raises `ActionFailed` where it has none."""
        if self.backend_node_id is None:
            raise ActionFailed(
                "the page asks for a file without a field for it", "upload to an area where files are dropped"
            )
        chosen: JsonObject = {"files": list(files), "backendNodeId": self.backend_node_id}
        await self.session.send("DOM.setFileInputFiles", chosen)

    @property
    def words(self) -> str:
        """What to say of one that nobody asked for."""
        how_many = "files" if self.several else "a file"
        return f"it opened the dialog that chooses {how_many}, which was shut: upload to the same element"


class FileDialogs:
    """Those of one tab. From `watch` to `release` none is shown, and each is noticed."""

    def __init__(self, page: PageTarget) -> None:
        self._page = page
        self._heard: WeakSet[CdpSession] = WeakSet()
        self._shut: WeakSet[CdpSession] = WeakSet()
        self._opened: FileDialog | None = None
        self._arrived = asyncio.Event()

    async def watch(self) -> None:
        """From now on, for the frames that there are; what was noticed before is forgotten."""
        self.take()
        sessions = {self._page.session, *(frame.session for frame in await self._page.frames())}
        for session in sessions - set(self._heard):
            session.on("Page.fileChooserOpened", partial(self._hear, session))
            self._heard.add(session)
        await _intercept(sessions - set(self._shut), enabled=True)
        self._shut.update(sessions)

    async def release(self) -> None:
        """A person may sit before the window, and chooses by that dialog."""
        sessions = set(self._shut)
        self._shut.clear()
        await _intercept(sessions, enabled=False)

    async def opened_by(self, click: Awaitable[None]) -> FileDialog | None:
        """The dialog that a click opens, None where it opens none."""
        self.take()
        await click
        with contextlib.suppress(TimeoutError):
            async with time_limit(OPENING_SECONDS):
                await self._arrived.wait()
        return self.take()

    def take(self) -> FileDialog | None:
        """The last one since this was asked before."""
        opened, self._opened = self._opened, None
        self._arrived.clear()
        return opened

    def _hear(self, session: CdpSession, event: JsonObject) -> None:
        node = event.get("backendNodeId")
        self._opened = FileDialog(session, node, event.get("mode") == "selectMultiple")
        self._arrived.set()


async def _intercept(sessions: set[CdpSession], *, enabled: bool) -> None:
    """A frame that hangs is left alone with it after a moment: it takes the word when it goes on."""
    told = [asyncio.create_task(_tell(session, enabled=enabled)) for session in sessions]
    if told:
        _, late = await asyncio.wait(told, timeout=TELLING_SECONDS)
        for one in late:
            one.cancel()


async def _tell(session: CdpSession, *, enabled: bool) -> None:
    with contextlib.suppress(WebbenchError):
        await session.send("Page.setInterceptFileChooserDialog", {"enabled": enabled})
