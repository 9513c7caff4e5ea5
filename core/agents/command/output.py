"""What a program writes to stdout, line by line, each of bounded length."""

from __future__ import annotations

import asyncio

_CHUNK = 65536


class LineTooLong(Exception):
    """A line is longer than is read."""


class OutputLines:
    """Reads lines; a read that is cancelled loses nothing.

    Args:
        longest: bytes of one line.
    """

    def __init__(self, stream: asyncio.StreamReader, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._held = bytearray()
        self._searched = 0

    @property
    def begun(self) -> bytes:
        """What there is of a line whose end has not come."""
        return bytes(self._held)

    async def next(self) -> bytes | None:
        """A line with its end, None where the output ends; `begun` is then what it ends with.

        Raises `LineTooLong`.
        """
        while (end := self._held.find(b"\n", self._searched)) < 0:
            self._searched = len(self._held)
            if self._searched > self._longest:
                raise LineTooLong
            chunk = await self._stream.read(_CHUNK)
            if not chunk:
                return None
            self._held += chunk
        if end > self._longest:
            raise LineTooLong
        line = bytes(self._held[: end + 1])
        del self._held[: end + 1]
        self._searched = 0
        return line

    def rest(self) -> bytes:
        """Take what the output ended with."""
        rest, self._held, self._searched = bytes(self._held), bytearray(), 0
        return rest
