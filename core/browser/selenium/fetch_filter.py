"""The request filter of a context, over DevTools' `Fetch`, on the driver's own sessions."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from webbench.core.browser.network.fetch import fetch_command
from webbench.core.environment import NetworkRequest
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from webbench.core.browser.selenium.websocket import WireSession
    from webbench.core.environment import NetworkAnswer


class RequestDoor:
    """Holds every request as it begins until `decide` has spoken; redirects pass, `Gate` asks about them."""

    command = ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def __init__(
        self,
        asked_about: re.Pattern[str],
        decide: Callable[[NetworkRequest], Awaitable[NetworkAnswer]],
        go: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._asked_about = asked_about
        self._decide = decide
        self._go = go

    def watch(self, session: WireSession) -> None:
        session.on("Fetch.requestPaused", lambda event: self._go(self._pass(session, event)))

    async def _pass(self, session: WireSession, event: JsonObject) -> None:
        url, kind = str(event["request"]["url"]), str(event["resourceType"]).lower()
        method = "Fetch.continueRequest"
        params: JsonObject = {}
        if not event.get("redirectedRequestId") and self._asked_about.match(url):
            answer = await self._decide(NetworkRequest(url, event["request"]["method"], kind))
            method, params = fetch_command(answer, kind)
        await session.send(method, {"requestId": event["requestId"], **params})
