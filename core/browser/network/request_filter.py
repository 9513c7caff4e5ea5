"""The request filter of an episode's setup, at the doors by which requests leave a context."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Coroutine
from typing import Any

from webbench.core.browser.driver import CdpSession, DriverContext
from webbench.core.browser.network.fetch import fetch_command
from webbench.core.browser.page_log import PageLog
from webbench.core.environment import (
    DOCUMENT,
    WEB_SOCKET,
    EnvironmentSetup,
    NetworkAnswer,
    NetworkRequest,
)
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

UNASKED = ("about:", "data:", "blob:", "chrome:", "chrome-extension:")
FILTER_TIMEOUT = 20.0
REMEMBERED = 1000


class Gate:
    """Asks the setup's filter, and remembers for which documents nothing came of it.

    The context's own guard sees every request as it begins, but no redirect; those are seen on the
    session of each tab (`watch`). So are WebSockets, which the filter is only told of: what stops them is
    that their context reaches some hosts alone (`only_hosts`).
    """

    def __init__(self, setup: EnvironmentSetup, log: PageLog) -> None:
        self._decide = setup.request_filter
        self._walled = setup.only_hosts is not None
        self._asked_about = _asked_about(setup.passthrough)
        self._log = log
        self._refusals: dict[str, str] = {}
        self._starts: dict[str, str] = {}
        self._under_way: dict[str, str] = {}
        self._running: set[asyncio.Task[None]] = set()

    def refusal(self, url: str) -> str:
        """Why the document last asked for at this address was refused, or ""."""
        return self._refusals.get(url, "")

    async def guard(self, context: DriverContext) -> None:
        """Ask about every request of the context as it begins."""
        if self._decide is not None:
            await context.guard(self._asked_about, self._begun)

    async def watch(self, session: CdpSession) -> None:
        """Ask about the redirects of a tab as well, and tell of its sockets. Raises what a session raises."""
        if self._decide is None:
            return
        session.on("Fetch.requestPaused", lambda event: self._go(self._pass(session, event)))
        if self._walled:
            session.on("Network.webSocketCreated", lambda event: self._go(self._socket(event["url"])))
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "http*"}]})

    async def _answer(self, request: NetworkRequest, start: str) -> NetworkAnswer:
        """The filter's word; one that fails or takes too long fails the request."""
        assert self._decide is not None
        try:
            async with time_limit(FILTER_TIMEOUT):
                answer = await self._decide(request)
        except Exception as error:
            answer = NetworkAnswer(
                "abort", reason=f"the request filter failed: {error or type(error).__name__}"
            )
        if request.resource_type == DOCUMENT and answer.decision == "abort":
            reason = answer.reason or "the task lets no request go there"
            if start != request.url:
                reason = f"it leads to {request.url}: {reason}"
            _remember(self._refusals, start, reason)
            self._log.add("network", "error", f"not loaded: {reason}", start)
        return answer

    async def _begun(self, request: NetworkRequest) -> NetworkAnswer:
        self._refusals.pop(request.url, None)
        return await self._answer(request, request.url)

    async def _socket(self, url: str) -> None:
        await self._answer(NetworkRequest(url, "GET", WEB_SOCKET), url)

    def _go(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _pass(self, session: CdpSession, event: JsonObject) -> None:
        method, parameters = await self._verdict(event)
        with contextlib.suppress(WebbenchError):
            await session.send(method, {"requestId": event["requestId"], **parameters})

    async def _verdict(self, event: JsonObject) -> tuple[str, JsonObject]:
        """The DevTools command that answers a paused request, and its parameters."""
        url, before = str(event["request"]["url"]), str(event.get("redirectedRequestId", ""))
        kind, network = str(event["resourceType"]).lower(), str(event.get("networkId", ""))
        start = self._starts.pop(before, url)
        redirected = bool(before) or network in self._under_way
        if network:  # a fetch across origins is begun anew after a redirect, and tells no request before
            _remember(self._under_way, network, url)
        if kind == DOCUMENT:
            _remember(self._starts, str(event["requestId"]), start)
        if not redirected or not self._asked_about.match(url):
            return "Fetch.continueRequest", {}
        answer = await self._answer(NetworkRequest(url, event["request"]["method"], kind), start)
        return fetch_command(answer, kind)


def _asked_about(passthrough: tuple[str, ...]) -> re.Pattern[str]:
    """Every URL but the passthrough ones; the browser's side matches it, so those cost nothing."""
    prefixes = "|".join(re.escape(prefix).replace("/", r"\/") for prefix in (*UNASKED, *passthrough))
    return re.compile(f"^(?!{prefixes})")


def _remember(known: dict[str, str], key: str, value: str) -> None:
    known[key] = value
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
