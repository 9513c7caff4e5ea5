"""Doing something in a page that a dialog may bring to a standstill at any moment."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Race(NamedTuple, Generic[T]):
    """How far the work came: it is done, or a dialog opened before, or neither in time."""

    work: asyncio.Future[T]
    dialog: bool

    @property
    def done(self) -> bool:
        return self.work.done()


@asynccontextmanager
async def raced(
    work: Awaitable[T], dialog_opened: asyncio.Event | None, limit: float = math.inf
) -> AsyncIterator[Race[T]]:
    """Wait until the work is done, a dialog opens or time is over; leaving ends what still goes on.

    Args:
        dialog_opened: None where a dialog that opens changes nothing.
        limit: seconds.
    """
    task = asyncio.ensure_future(work)
    waits: list[asyncio.Future[Any]] = [task]
    if dialog_opened is not None:
        waits.append(asyncio.ensure_future(dialog_opened.wait()))
    try:
        timeout = None if math.isinf(limit) else limit
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        yield Race(task, len(waits) > 1 and waits[1].done())
    finally:
        for one in waits:
            one.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
