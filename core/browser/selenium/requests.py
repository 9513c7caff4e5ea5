"""What a context's tabs ask the network for, over DevTools' `Network` on the driver's own sessions."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

from webbench.core.browser.driver import Answered, DriverPage, DriverRequest
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from webbench.core.browser.selenium.page import SeleniumPage
    from webbench.core.browser.selenium.websocket import WireSession

RAW_SECONDS = 1.0
"""So long after its end a request may still be told about its raw headers."""

UNTOLD = ("data:", "blob:", "about:", "chrome-error:")


class SeleniumRequest:
    """A `DriverRequest`: one hop, from `Network.requestWillBeSent` to the end of its answer.

    Attributes:
        raw_sent, raw_got: headers as they left and reached the browser, with cookies.
        bare: there will be none of these (a cached answer, or one that a filter gave).
    """

    def __init__(self, page: SeleniumPage, session: WireSession, event: JsonObject) -> None:
        asked = event["request"]
        self.page: DriverPage | None = page
        self.url: str = asked["url"] + asked.get("urlFragment", "")
        self.method: str = asked["method"]
        self.resource_type = str(event.get("type", "Other")).lower()
        self.response: JsonObject | None = None
        self.bare = False
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.raw_sent: asyncio.Future[JsonObject] = loop.create_future()
        self.raw_got: asyncio.Future[JsonObject] = loop.create_future()
        self._session = session
        self._id = str(event["requestId"])
        self._asked = asked

    async def answered(self) -> Answered | None:
        await asyncio.shield(self.ended)
        if self.response is None:
            return None
        if not self.bare:
            await asyncio.wait([self.raw_sent, self.raw_got], timeout=RAW_SECONDS)
        sent = self.raw_sent.result() if self.raw_sent.done() else self._asked["headers"]
        got = self.raw_got.result() if self.raw_got.done() else self.response["headers"]
        headers = _lower(got)
        return Answered(
            status=self.response["status"],
            headers=headers,
            sent_headers=_lower(sent),
            sent=await self._sent(),
            cookies=tuple(line for line in headers.get("set-cookie", "").split("\n") if line),
        )

    async def text(self) -> str:
        answer = await self._session.send("Network.getResponseBody", {"requestId": self._id})
        body = str(answer["body"])
        if not answer["base64Encoded"]:
            return body
        try:
            return base64.b64decode(body).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ActionFailed(f"the answer of {self.url} is no text") from error

    async def _sent(self) -> bytes:
        entries = self._asked.get("postDataEntries", ())
        if entries:
            return b"".join(base64.b64decode(entry.get("bytes", "")) for entry in entries)
        if not self._asked.get("hasPostData"):
            return b""
        answer = await self._session.send("Network.getRequestPostData", {"requestId": self._id})
        return str(answer["postData"]).encode()

    def end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


class _Chain:
    """The hops of one request, and raw headers, which come for one hop after the other at any time."""

    def __init__(self) -> None:
        self.hops: list[SeleniumRequest] = []
        self.sent: list[JsonObject] = []
        self.got: list[JsonObject] = []

    def match(self) -> None:
        hops = [hop for hop in self.hops if not hop.bare]
        for hop, sent in zip(hops, self.sent, strict=False):
            if not hop.raw_sent.done():
                hop.raw_sent.set_result(sent)
        for hop, got in zip(hops, self.got, strict=False):
            if not hop.raw_got.done():
                hop.raw_got.set_result(got)


class Requests:
    """Follows the sessions of one context; without handlers it asks the browser for nothing."""

    def __init__(self) -> None:
        self._begun: list[Callable[[DriverRequest], None]] = []
        self._finished: list[Callable[[DriverRequest], None]] = []
        self._chains: dict[str, _Chain] = {}

    def on_begun(self, handler: Callable[[DriverRequest], None]) -> None:
        self._begun.append(handler)

    def on_finished(self, handler: Callable[[DriverRequest], None]) -> None:
        self._finished.append(handler)

    def commands(self) -> list[tuple[str, JsonObject]]:
        return [("Network.enable", {})] if self._begun or self._finished else []

    def follow(self, page: SeleniumPage, session: WireSession) -> None:
        session.on("Network.requestWillBeSent", lambda event: self._asked(page, session, event))
        session.on("Network.responseReceived", lambda event: self._answered(event, event["response"]))
        session.on("Network.loadingFinished", lambda event: self._over(event, finished=True))
        session.on("Network.loadingFailed", lambda event: self._over(event, finished=False))
        session.on("Network.requestWillBeSentExtraInfo", self._raw_sent)
        session.on("Network.responseReceivedExtraInfo", self._raw_got)

    def _asked(self, page: SeleniumPage, session: WireSession, event: JsonObject) -> None:
        if "redirectResponse" in event:
            self._answered(event, event["redirectResponse"])
            self._end(event, finished=True)
        if str(event["request"]["url"]).startswith(UNTOLD):
            return
        request = SeleniumRequest(page, session, event)
        chain = self._chain(event)
        chain.hops.append(request)
        chain.match()
        for handler in self._begun:
            handler(request)

    def _answered(self, event: JsonObject, response: JsonObject) -> None:
        chain = self._chain(event)
        if chain.hops:
            hop = chain.hops[-1]
            hop.response = response
            hop.bare = not event.get("redirectHasExtraInfo", event.get("hasExtraInfo", False))
            chain.match()

    def _over(self, event: JsonObject, finished: bool) -> None:
        self._end(event, finished)
        loop = asyncio.get_running_loop()
        loop.call_later(RAW_SECONDS, self._chains.pop, str(event["requestId"]), None)

    def _end(self, event: JsonObject, finished: bool) -> None:
        hops = self._chain(event).hops
        if not hops or hops[-1].ended.done():
            return
        if not finished:
            hops[-1].response = None
        hops[-1].end()
        if finished:
            for handler in self._finished:
                handler(hops[-1])

    def _raw_sent(self, event: JsonObject) -> None:
        chain = self._chain(event)
        chain.sent.append(event["headers"])
        chain.match()

    def _raw_got(self, event: JsonObject) -> None:
        chain = self._chain(event)
        chain.got.append(event["headers"])
        chain.match()

    def _chain(self, event: JsonObject) -> _Chain:
        return self._chains.setdefault(str(event["requestId"]), _Chain())


def _lower(headers: JsonObject) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in headers.items()}
