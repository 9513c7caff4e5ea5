"""A bound on what is waited for, which keeps its word on every Python that is supported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def time_limit(seconds: float | None) -> AsyncIterator[asyncio.Timeout]:
    """Cancel what is awaited inside once it has taken so many seconds; None: never.

    `asyncio.wait_for` of Python 3.11 loses a cancellation that comes in the same moment as the answer, and
    `asyncio.timeout` of 3.11.0 to 3.11.2 (Debian 12) ends by `CancelledError` where its task is already being
    cancelled: what is cleaned up then would be left half done.

    Raises `TimeoutError`.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task is not None else 0
    limit = asyncio.timeout(seconds)  # noqa: TID251 - the one place
    try:
        async with limit:
            yield limit
    except asyncio.CancelledError as error:
        if limit.expired() and task is not None and task.cancelling() <= before:
            raise TimeoutError from error
        raise
