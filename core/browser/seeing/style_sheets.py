"""Texts of a tab's style sheets, as it loaded them: no script may read those of other hosts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from webbench.core.browser.driver import CdpSession
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject

NETWORK_BUFFERS: JsonObject = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
"""What the `Network` domain is to keep for us. Style sheets are had as long as their document lives."""


class StyleSheets:
    """The `SheetTexts` of one session's document, followed from the beginning, with `Network` enabled.

    `CSS.enable` would tell the texts, too, but loads every sheet again, past all request filters.
    """

    def __init__(self, session: CdpSession, frame_id: str) -> None:
        self._session = session
        self._frame_id = frame_id
        self._requests: dict[str, set[str]] = {}
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Page.frameNavigated", self._navigated)

    async def texts(self, addresses: Sequence[str]) -> list[str] | None:
        asked = dict(self._requests)
        bodies = await asyncio.gather(*map(self._body, asked))
        had = {request: body for request, body in zip(asked, bodies, strict=True) if body is not None}
        known = set().union(*(asked[request] for request in had))
        return list(had.values()) if known.issuperset(addresses) else None

    async def _body(self, request: str) -> str | None:
        try:
            answer = await self._session.send("Network.getResponseBody", {"requestId": request})
        except ActionFailed:
            return None
        return None if answer["base64Encoded"] else str(answer["body"])

    def _asked(self, event: JsonObject) -> None:
        if event.get("type") == "Stylesheet":
            self._requests.setdefault(event["requestId"], set()).add(event["request"]["url"])

    def _navigated(self, event: JsonObject) -> None:
        if event["frame"]["id"] == self._frame_id:
            self._requests.clear()
