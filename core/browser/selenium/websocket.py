"""DevTools commands and events of one browser over a WebSocket: what the Selenium driver speaks by.

A WebDriver session offers three ways to its browser's DevTools. Median milliseconds of one evaluation, and
of one that gives 5 MB back, measured in one run on a local chromedriver (through a Grid):

- the browser's own WebSocket (`debuggerAddress`, on a Grid `se:cdp`): 0.5 and 150 (5 and 440)
- BiDi's `goog:cdp.sendCommand` over `webSocketUrl`: 2.6 and 1,190 (6 and 1,430); its mapper, a page of
  its own in the browser, carries every message through JavaScript
- `execute_cdp_cmd` over HTTP: 2.9 and 250 (16 and 360), without events

So the first is the way, local and through a Grid alike. `commands` has the last one for nodes that
offer no WebSocket.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import msgspec

from webbench.core.browser.driver import without_effect
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

COMMAND_TIMEOUT = 60.0
LARGEST_MESSAGE = 512 * 2**20
"""Bytes; a page can make the browser send no more than this at once."""

ROOT = ""
"""The session of the browser itself."""

GONE = ("session with given id not found", "no target with given id", "target closed", "target crashed")
Hear = Callable[[str, JsonObject], None]


class Wire(Protocol):
    """Carries commands and events of all DevTools sessions of one browser.

    Attributes:
        holds_requests: `Fetch` works, by which a request waits until somebody has decided about it.
    """

    @property
    def holds_requests(self) -> bool: ...

    @property
    def lost(self) -> bool:
        """Whether nothing comes or goes any more."""
        ...

    async def send(self, session: str, method: str, params: JsonObject) -> JsonObject:
        """One command. Raises `ActionFailed` with the protocol's message, or `EnvironmentDown`."""
        ...

    def listen(self, session: str, hear: Hear) -> None:
        """Pass every event of a session on, as (name, parameters)."""
        ...

    def forget(self, session: str, reason: str, /) -> None:
        """The session is gone: whoever waits for an answer of it gets `EnvironmentDown`."""
        ...

    def on_lost(self, handler: Callable[[], None]) -> None: ...

    def lose(self) -> None:
        """It leads nowhere any more."""
        ...

    async def close(self) -> None: ...


class WireSession:
    """A `CdpSession` over a wire."""

    def __init__(self, wire: Wire, id: str = ROOT) -> None:
        self.id = id
        self._wire = wire
        self._handlers: dict[str, list[Callable[[JsonObject], None]]] = {}
        wire.listen(id, self._hear)

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        try:
            async with time_limit(COMMAND_TIMEOUT):
                return await self._wire.send(self.id, method, params or {})
        except TimeoutError as error:
            raise ActionFailed(f"the page did not answer {method} within {COMMAND_TIMEOUT:.0f} s") from error

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        self._handlers.setdefault(event, []).append(handler)

    def end(self, reason: str) -> None:
        """Nothing will be answered here any more."""
        self._wire.forget(self.id, reason)

    def _hear(self, event: str, params: JsonObject) -> None:
        for handler in tuple(self._handlers.get(event, ())):
            handler(params)


class _Failure(msgspec.Struct, frozen=True):
    message: str = "it failed"


class _Message(msgspec.Struct, frozen=True):
    """An answer (`id`) or an event (`method`)."""

    id: int = 0
    method: str = ""
    params: JsonObject = {}
    result: JsonObject = {}
    error: _Failure | None = None
    session_id: str = msgspec.field(default=ROOT, name="sessionId")


class SocketWire:
    """The browser's own WebSocket, with all sessions side by side on it ("flat" sessions)."""

    holds_requests = True

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting: dict[int, tuple[str, asyncio.Future[_Message]]] = {}
        self._heard: dict[str, Hear] = {}
        self._lost_handlers: list[Callable[[], None]] = []
        self._lost = False
        self._pump = asyncio.create_task(self._receive())

    @classmethod
    async def open(cls, url: str) -> SocketWire:
        """Raises `EnvironmentDown` where nothing answers there."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        try:
            socket = await connect(url, max_size=LARGEST_MESSAGE, compression=None, proxy=None)
        except (OSError, WebSocketException, TimeoutError) as error:
            raise EnvironmentDown(f"the browser's DevTools do not answer at {url}: {error}") from error
        return cls(socket)

    @property
    def lost(self) -> bool:
        return self._lost

    async def send(self, session: str, method: str, params: JsonObject) -> JsonObject:
        from websockets.exceptions import ConnectionClosed

        if self._lost:
            raise EnvironmentDown("the page is gone: the connection to the browser is closed")
        number = next(self._ids)
        message: JsonObject = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        answered: asyncio.Future[_Message] = asyncio.get_running_loop().create_future()
        answered.add_done_callback(_heard)
        self._waiting[number] = (session, answered)
        try:
            await self._socket.send(msgspec.json.encode(message), text=True)
            answer = await answered
        except ConnectionClosed as error:
            raise EnvironmentDown("the page is gone: the connection to the browser is closed") from error
        finally:
            self._waiting.pop(number, None)
        if answer.error is not None:
            raise refusal(method, answer.error.message)
        return answer.result

    def listen(self, session: str, hear: Hear) -> None:
        self._heard[session] = hear

    def forget(self, session: str, reason: str, /) -> None:
        self._heard.pop(session, None)
        for owner, answered in tuple(self._waiting.values()):
            if owner == session and not answered.done():
                answered.set_exception(EnvironmentDown(f"the page is gone: {reason}"))

    def on_lost(self, handler: Callable[[], None]) -> None:
        self._lost_handlers.append(handler)

    async def close(self) -> None:
        self._pump.cancel()
        with contextlib.suppress(Exception):
            async with time_limit(2.0):
                await self._socket.close()
        self.lose()

    async def _receive(self) -> None:
        from websockets.exceptions import ConnectionClosed

        decoder = msgspec.json.Decoder(_Message)
        try:
            while True:
                self._take(decoder.decode(await self._socket.recv(decode=False)))
        except (ConnectionClosed, msgspec.DecodeError):
            self.lose()

    def _take(self, message: _Message) -> None:
        if message.id:
            _, answered = self._waiting.get(message.id, (ROOT, None))
            if answered is not None and not answered.done():
                answered.set_result(message)
        elif hear := self._heard.get(message.session_id):
            hear(message.method, message.params)

    def lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        for _, answered in tuple(self._waiting.values()):
            if not answered.done():
                answered.set_exception(EnvironmentDown("the page is gone: the browser ended"))
        for handler in self._lost_handlers:
            handler()


def _heard(answered: asyncio.Future[_Message]) -> None:
    """Where the connection broke while we wrote, nobody waits for the reason; asyncio would print it."""
    if not answered.cancelled():
        answered.exception()


def refusal(method: str, message: str) -> ActionFailed | EnvironmentDown:
    """What a command's error means: the target is gone, or it did not take the command."""
    if any(words in message.lower() for words in GONE):
        return EnvironmentDown(f"the page is gone: {message}")
    return without_effect(method, message)
