"""Whether a foreign server is there, and whether a page may speak to it at all."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import socket
import ssl
import time
from collections.abc import Awaitable, Callable

import msgspec

from webbench.core.time_limit import time_limit

CHECK_SECONDS = 2.0
"""How long a server may take for its first byte before it counts as out of reach."""

REMEMBERED_SECONDS = 300.0
"""How long a finding holds: networks come and go."""


class Server(msgspec.Struct, frozen=True):
    """Who is asked: `scheme` is "http" or "https", `host` a name or address without brackets."""

    scheme: str
    host: str
    port: int


Reach = Callable[[Server], Awaitable[bool]]


def is_local(host: str) -> bool:
    """Whether the name or address itself says that it is this machine or a private network."""
    name = host.rstrip(".").lower()
    if not name or name == "localhost" or name.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not _is_public(name)
    except ValueError:
        return False


def _is_public(address: str) -> bool:
    """Raises `ValueError` for anything that is no address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = found.ipv4_mapped or found.sixtofour if isinstance(found, ipaddress.IPv6Address) else None
    return (inner or found).is_global and not found.is_multicast


async def reachable(server: Server) -> bool:
    """Whether a public server of this name answers; a name that leads to this machine is none."""
    loop = asyncio.get_running_loop()
    try:
        async with time_limit(CHECK_SECONDS):
            found = await loop.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return False
    return all(_is_public(str(entry[4][0])) for entry in found) and await answers(server)


async def answers(server: Server) -> bool:
    """Whether the server sends a byte of an answer within `CHECK_SECONDS`; to be connected is not enough."""
    certificates = _certificates() if server.scheme == "https" else None
    try:
        async with time_limit(CHECK_SECONDS):
            reader, writer = await asyncio.open_connection(server.host, server.port, ssl=certificates)
            with contextlib.closing(writer):
                name = f"[{server.host}]" if ":" in server.host else server.host
                request = f"HEAD / HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
                writer.write(request.encode("ascii", "ignore"))
                return bool(await reader.read(1))
    except (OSError, ValueError):
        return False


@functools.cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


class KnownServers:
    """Findings about servers: one check at a time for each, remembered for `REMEMBERED_SECONDS`.

    Args:
        reach: asks whether a server answers; replaced where the answer must be known beforehand.
        clock: seconds that only grow.
    """

    def __init__(self, reach: Reach = reachable, clock: Callable[[], float] = time.monotonic) -> None:
        self._reach = reach
        self._clock = clock
        self._known: dict[Server, tuple[bool, float]] = {}
        self._checks: dict[Server, asyncio.Future[bool]] = {}

    async def reach(self, server: Server) -> bool:
        is_there, until = self._known.get(server, (False, -1.0))
        if self._clock() < until:
            return is_there
        check = self._checks.get(server)
        if check is None or check.get_loop() is not asyncio.get_running_loop():
            check = self._checks[server] = asyncio.ensure_future(self._reach(server))
        is_there = await asyncio.shield(check)
        self._known[server] = (is_there, self._clock() + REMEMBERED_SECONDS)
        self._checks.pop(server, None)
        return is_there
