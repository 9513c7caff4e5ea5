"""Files that a context's pages give instead of documents, fetched also from a browser far away."""

from __future__ import annotations

import asyncio
import base64
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webbench.core.browser.selenium.websocket import Wire, WireSession
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.selenium.page import SeleniumPage

LONGEST_DOWNLOAD = 300.0
"""Seconds."""

Fetch = Callable[[str, Path], Awaitable[None]]


class SeleniumDownload:
    """A `DriverDownload`: the browser writes it under its number into the context's folder."""

    def __init__(self, downloads: Downloads, event: JsonObject) -> None:
        self.id: str = event["guid"]
        self.url: str = event["url"]
        self.name: str = event["suggestedFilename"]
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._downloads = downloads

    async def save(self, place: Path) -> None:
        try:
            async with time_limit(LONGEST_DOWNLOAD):
                state = await asyncio.shield(self.ended)
        except TimeoutError as error:
            raise ActionFailed(f"it took longer than {LONGEST_DOWNLOAD:.0f} s") from error
        if state != "completed":
            raise ActionFailed("it broke off")
        place.parent.mkdir(parents=True, exist_ok=True)
        await self._downloads.fetch(self.id, place)

    async def cancel(self) -> None:
        await self._downloads.cancel(self.id)


class Downloads:
    """Follows the downloads of one context.

    Args:
        folder: where the browser writes, on its own machine.
        fetch: gets a file from there; None where that machine is ours.
    """

    def __init__(self, root: WireSession, folder: str, fetch: Fetch | None) -> None:
        self.find_page: Callable[[str], SeleniumPage | None] = lambda _: None
        self._root = root
        self._context = ""
        self._folder = folder
        self._fetch = fetch
        self._open: dict[str, SeleniumDownload] = {}
        root.on("Browser.downloadWillBegin", self._begun)
        root.on("Browser.downloadProgress", self._progress)

    async def allow(self, context: str) -> None:
        """Let this context's pages download."""
        self._context = context
        await self._root.send(
            "Browser.setDownloadBehavior",
            {
                "behavior": "allowAndName",
                "browserContextId": context,
                "downloadPath": self._folder,
                "eventsEnabled": True,
            },
        )

    async def fetch(self, id: str, place: Path) -> None:
        """Put a complete file here. Raises `ActionFailed`."""
        if self._fetch is not None:
            await self._fetch(str(PurePosixPath(self._folder) / id), place)
            return
        try:
            await asyncio.to_thread(shutil.move, Path(self._folder) / id, place)
        except FileNotFoundError as error:
            raise ActionFailed("the browser kept no file of it") from error

    async def cancel(self, id: str) -> None:
        await self._root.send("Browser.cancelDownload", {"guid": id, "browserContextId": self._context})

    def sweep(self) -> None:
        """Forget what was not taken."""
        for download in self._open.values():
            if not download.ended.done():
                download.ended.set_result("canceled")
        if self._fetch is None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _begun(self, event: JsonObject) -> None:
        page = self.find_page(event["frameId"])
        if page is not None:
            download = self._open[event["guid"]] = SeleniumDownload(self, event)
            page.downloads(download)

    def _progress(self, event: JsonObject) -> None:
        download = self._open.get(event["guid"])
        if download is not None and event["state"] != "inProgress" and not download.ended.done():
            download.ended.set_result(event["state"])


def far_reader(wire: Wire, root: WireSession, window: str) -> Fetch:
    """Reads files on the browser's machine by a file field of this window, and writes them here."""

    async def fetch(far: str, place: Path) -> None:
        attached = await root.send("Target.attachToTarget", {"targetId": window, "flatten": True})
        session = WireSession(wire, attached["sessionId"])
        found = await session.send("Runtime.evaluate", {"expression": _FILE_FIELD})
        field = found["result"]["objectId"]
        await session.send("DOM.setFileInputFiles", {"files": [far], "objectId": field})
        call = {"functionDeclaration": _READ_FILE, "objectId": field}
        answer = await session.send(
            "Runtime.callFunctionOn", {**call, "awaitPromise": True, "returnByValue": True}
        )
        data = answer["result"].get("value")
        if not isinstance(data, str):
            raise ActionFailed("the browser kept no file of it")
        await asyncio.to_thread(place.write_bytes, base64.b64decode(data.partition(",")[2]))

    return fetch


_FILE_FIELD = "Object.assign(document.createElement('input'), {type: 'file'})"
_READ_FILE = """function() {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(this.files[0]);
  });
}"""
