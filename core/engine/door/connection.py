"""The person's end of a running episode's door (see `door`)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from webbench.core.engine.wire import framing, messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.errors import EnvironmentDown


class Connection:
    """A connection through which one has the episode; made by `begin`, over after `leave`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def begin(cls, path: Path) -> Connection:
        """Take the episode over. Raises `EnvironmentDown` where nobody answers at its door."""
        connected = door_place.connect(path)
        return cls(*await asyncio.open_unix_connection(sock=connected, limit=framing.LIMIT))

    async def send(self, intent: messages.Intent) -> None:
        """Raises `EnvironmentDown` where the runner is gone."""
        try:
            self._writer.write(framing.encode(intent))
            await self._writer.drain()
        except OSError as error:
            raise EnvironmentDown("The episode's runner went away", "what it recorded is safe") from error

    async def events(self) -> AsyncIterator[messages.Event]:
        """Until it was handed back, or has ended. Raises `WebbenchError` for what is no message."""
        while (event := await framing.read(self._reader, messages.EVENTS)) is not None:
            yield event

    async def leave(self) -> None:
        """Hand it back; `events` ends when that is done."""
        with contextlib.suppress(EnvironmentDown):
            await self.send(messages.Shutdown())

    def close(self) -> None:
        """Hang up."""
        self._writer.close()
