"""The file dialog that a click opens: it stays shut, and we learn which field it is for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial

import msgspec

from webbench.core.browser.driver import CdpSession, PageTarget
from webbench.core.json_types import JsonObject

OPENING_SECONDS = 2.0
"""A page may open it a moment after the click."""


class FileDialog(msgspec.Struct, frozen=True):
    """The field that it is for, by the node of its session; `several`: it takes more than one file."""

    session: CdpSession
    backend_node_id: int
    several: bool


async def opened_by(page: PageTarget, click: Awaitable[None], *, keep_shut: bool) -> FileDialog | None:
    """The dialog that a click on a tab opens, None where it opens none.

    Args:
        keep_shut: no dialog of this tab is ever to be shown, also after this one.
    """
    opened: asyncio.Future[FileDialog] = asyncio.get_running_loop().create_future()
    sessions = [page.session, *(frame.session for frame in await page.frames())]

    def hear(session: CdpSession, event: JsonObject) -> None:
        if not opened.done() and "backendNodeId" in event:
            several = event.get("mode") == "selectMultiple"
            opened.set_result(FileDialog(session, event["backendNodeId"], several))

    for session in sessions:
        session.on("Page.fileChooserOpened", partial(hear, session))
        await session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
    try:
        await click
        await asyncio.wait([opened], timeout=OPENING_SECONDS)
        return opened.result() if opened.done() else None
    finally:
        opened.cancel()
        for session in [] if keep_shut else sessions:
            await session.send("Page.setInterceptFileChooserDialog", {"enabled": False})
