"""The output of a program: stdout line by line, each of bounded length, and the last lines of stderr."""

from __future__ import annotations

import asyncio
from collections import deque

from webbench.core.text.plain_text import plain_text

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


async def keep_lines(stderr: asyncio.StreamReader | None, last: deque[str]) -> None:
    """Read stderr to its end, so that the program never waits for us; its lines, clean, go into `last`."""
    while stderr is not None and (chunk := await stderr.read(_CHUNK)):
        for line in chunk.decode(errors="replace").splitlines():
            last.append(plain_text(line, limit=500))
