"""The way from a WebDriver session to its browser's DevTools."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.request
from collections.abc import AsyncIterator
from urllib.parse import SplitResult, urlsplit, urlunsplit

import msgspec

from webbench.core.browser.selenium.webdriver_session import WebDriverSession
from webbench.core.browser.selenium.websocket import ROOT, SocketWire
from webbench.core.browser.starting.endpoint import hushed
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.text.addresses import without_secrets
from webbench.core.time_limit import time_limit

REACH_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


async def devtools_socket(session: WebDriverSession) -> SocketWire:
    """The browser's own WebSocket. Raises `EnvironmentDown` where it offers none that we can reach."""
    reasons = []
    async for url in _addresses(session):
        try:
            async with time_limit(REACH_SECONDS):
                wire = await SocketWire.open(url)
        except (EnvironmentDown, TimeoutError) as error:
            reasons.append(hushed(str(error), url) or f"{without_secrets(url)} did not answer")
            continue
        if await _is_its_own(wire, session.window):
            return wire
        await wire.close()
        reasons.append(f"{without_secrets(url)} is another browser's")
    raise EnvironmentDown("; ".join(reasons) or "the session names no DevTools address")


async def _addresses(session: WebDriverSession) -> AsyncIterator[str]:
    """Where it may be, best first: as the node says, the same by way of our endpoint, on this machine."""
    endpoint = urlsplit(session.endpoint)
    offered = session.capabilities.get("se:cdp")
    if isinstance(offered, str):
        told = urlsplit(offered)
        if told.hostname == endpoint.hostname:
            told = told._replace(netloc=endpoint.netloc)
        yield urlunsplit(told)
        if told.netloc != endpoint.netloc:
            yield urlunsplit(_by_way_of(endpoint, told))
    chrome = session.capabilities.get("goog:chromeOptions")
    address = chrome.get("debuggerAddress") if isinstance(chrome, dict) else None
    if isinstance(address, str) and endpoint.hostname in LOOPBACK:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            yield await asyncio.to_thread(_browser_address, address)


def _by_way_of(endpoint: SplitResult, told: SplitResult) -> SplitResult:
    scheme = "wss" if endpoint.scheme == "https" else "ws"
    return told._replace(scheme=scheme, netloc=endpoint.netloc)


class _Version(msgspec.Struct, frozen=True, rename={"socket": "webSocketDebuggerUrl"}):
    socket: str


def _browser_address(address: str) -> str:
    """Ask a debugging port for its WebSocket. Raises `OSError`, `ValueError`."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(f"http://{address}/json/version", timeout=REACH_SECONDS) as answer:
        return msgspec.json.decode(answer.read(100_000), type=_Version).socket


async def _is_its_own(wire: SocketWire, window: str) -> bool:
    """Whether the session's window lives in this browser, and not in one that has the same port here."""
    try:
        async with time_limit(REACH_SECONDS):
            answer = await wire.send(ROOT, "Target.getTargets", {})
    except (WebbenchError, TimeoutError):
        return False
    return any(target["targetId"] == window for target in answer["targetInfos"])
