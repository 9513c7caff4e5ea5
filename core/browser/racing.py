"""Doing something in a page that a dialog may bring to a standstill at any moment."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Race(NamedTuple, Generic[T]):
    """How far the work came: it is done, a dialog opened before, it is given up, or time is over."""

    work: asyncio.Future[T]
    dialog: bool
    given_up: bool

    @property
    def done(self) -> bool:
        return self.work.done()


@asynccontextmanager
async def raced(
    work: Awaitable[T],
    dialog_opened: asyncio.Event | None,
    limit: float = math.inf,
    hopeless: Awaitable[None] | None = None,
) -> AsyncIterator[Race[T]]:
    """Wait until the work is done, a dialog opens or time is over; leaving ends what still goes on.

    Args:
        dialog_opened: None where a dialog that opens changes nothing.
        limit: seconds.
        hopeless: done when there is no use in waiting any longer.
    """
    task = asyncio.ensure_future(work)
    dialog = asyncio.ensure_future(dialog_opened.wait()) if dialog_opened is not None else None
    end = asyncio.ensure_future(hopeless) if hopeless is not None else None
    waits: list[asyncio.Future[Any]] = [one for one in (task, dialog, end) if one is not None]
    try:
        timeout = None if math.isinf(limit) else limit
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        yield Race(task, dialog is not None and dialog.done(), end is not None and end.done())
    finally:
        for one in waits:
            one.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
