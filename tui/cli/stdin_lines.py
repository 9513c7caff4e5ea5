"""Lines of stdin for an event loop: never blocks it, and never keeps the program from ending."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator

CHUNK = 65_536
LONGEST_LINE = 4 * 1024 * 1024


async def stdin_lines() -> AsyncIterator[str]:
    """Lines without their ends, as they come; bytes that are no UTF-8 become U+FFFD.

    A daemon thread reads the descriptor itself: one that waits in `sys.stdin` would hold its lock when
    the interpreter ends. A line of more than 4 MiB is cut.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(sys.stdin.fileno(), CHUNK)
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)
            except (OSError, ValueError):
                chunk = b""
            except RuntimeError:
                return
        loop.call_soon_threadsafe(chunks.put_nowait, b"")

    threading.Thread(target=read, daemon=True, name="stdin").start()
    waiting = b""
    while chunk := await chunks.get():
        *lines, waiting = (waiting + chunk).split(b"\n")
        waiting = waiting[:LONGEST_LINE]
        for line in lines:
            yield line.decode("utf-8", "replace")
    if waiting:
        yield waiting.decode("utf-8", "replace")
