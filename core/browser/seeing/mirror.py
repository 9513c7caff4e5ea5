"""Showing a page at its own address without asking its site: the document and its looks, no scripts."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webbench.core.browser.driver import CdpSession
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

CLOSING = 3.0
SHOWN_KINDS = frozenset({"Document", "Stylesheet"})
"""What a mirrored document loads: its looks decide which of its text is shown."""

HEADERS = [
    {"name": "content-type", "value": "text/html; charset=utf-8"},
    {"name": "content-security-policy", "value": "script-src 'none'"},
]


class Mirror:
    """Answers for a site on the session of one page."""

    def __init__(self, session: CdpSession) -> None:
        self._session = session
        self._url = ""
        self._body = ""
        self._running: set[asyncio.Task[None]] = set()
        session.on("Fetch.requestPaused", self._paused)

    @asynccontextmanager
    async def showing(self, url: str, html: str) -> AsyncIterator[None]:
        """Meanwhile the page gets this document at this address. Raises what a session raises."""
        self._url = url.partition("#")[0]
        self._body = base64.b64encode(html.encode("utf-8", "replace")).decode("ascii")
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        try:
            yield
        finally:
            with contextlib.suppress(WebbenchError, TimeoutError):
                async with time_limit(CLOSING):
                    await self._session.send("Fetch.disable")

    def _paused(self, event: JsonObject) -> None:
        task = asyncio.create_task(self._answer(event))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, event: JsonObject) -> None:
        method, parameters = self._verdict(event)
        with contextlib.suppress(WebbenchError):
            await self._session.send(method, {"requestId": event["requestId"], **parameters})

    def _verdict(self, event: JsonObject) -> tuple[str, JsonObject]:
        kind, url = str(event["resourceType"]), str(event["request"]["url"])
        if kind not in SHOWN_KINDS:
            return "Fetch.failRequest", {"errorReason": "Failed"}
        if kind == "Document" and url.partition("#")[0] == self._url:
            answer = {"responseCode": 200, "responseHeaders": HEADERS, "body": self._body}
            return "Fetch.fulfillRequest", answer
        return "Fetch.continueRequest", {}
