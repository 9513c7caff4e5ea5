"""The person's end of a running episode's door (see `door`)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from webbench.core.engine.door import socket_place as door_place
from webbench.core.engine.process import framing, messages
from webbench.core.errors import EnvironmentDown

# Made on import, before a thread reads the record: where two threads have msgspec look at the fields of a
# struct for the first time at once, the process crashes (seen with 0.22.0).
_EVENTS: msgspec.msgpack.Decoder[messages.Event] = msgspec.msgpack.Decoder(messages.Event)


class Visit:
    """A connection through which one has the episode; made by `begin`, over after `leave`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def begin(cls, path: Path) -> Visit:
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
        while (event := await framing.read(self._reader, _EVENTS)) is not None:
            yield event

    async def leave(self) -> None:
        """Hand it back; `events` ends when that is done."""
        with contextlib.suppress(EnvironmentDown):
            await self.send(messages.Shutdown())

    def close(self) -> None:
        """Hang up."""
        self._writer.close()
