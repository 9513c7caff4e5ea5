"""How far a page has come with the document that it shows, told by the browser as it happens."""

from __future__ import annotations

import asyncio

from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import JsonObject


class Lifecycle:
    """Follows the main frame of one page, whose session has `Page.enable` sent.

    Attributes:
        loader: id of the document that is shown, "" before the first.
    """

    def __init__(self, session: CdpSession, main_frame: str) -> None:
        self.loader = ""
        self._main_frame = main_frame
        self._session = session
        self._shown: set[str] = set()
        self._reached: dict[str, set[str]] = {}
        self._changed = asyncio.Event()
        session.on("Page.frameNavigated", self._navigated)
        session.on("Page.lifecycleEvent", self._event)

    async def follow(self) -> None:
        """Have the browser tell, what has happened already too. Raises what a session raises."""
        await self._session.send("Page.setLifecycleEventsEnabled", {"enabled": True})

    async def committed(self, loader: str) -> None:
        """Wait until this document is shown, or was and has given way to another.

        Its first lifecycle events come before that, while the document before it is still the one shown.
        """
        while loader not in self._shown:
            await self._change()

    async def reached(self, name: str) -> None:
        """Wait until the document that is shown then has come to "load" or "networkIdle"."""
        while name not in self._reached.get(self.loader, ()):
            await self._change()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _navigated(self, event: JsonObject) -> None:
        frame = event["frame"]
        if frame["id"] == self._main_frame:
            self.loader = frame["loaderId"]
            self._shown.add(self.loader)
            self._changed.set()

    def _event(self, event: JsonObject) -> None:
        if event["frameId"] == self._main_frame:
            self._reached.setdefault(event["loaderId"], set()).add(event["name"])
            self._changed.set()
