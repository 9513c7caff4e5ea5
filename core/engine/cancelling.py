"""Cancelling a task of the event loop until it is over."""

from __future__ import annotations

import asyncio
import traceback

CANCEL_AGAIN_SECONDS = 0.5


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it is over; print what it failed with.

    Once is not enough: agents and libraries wait by `asyncio.wait_for`, which of Python 3.11 loses a
    cancellation that arrives together with the result.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN_SECONDS)
    if not task.cancelled() and task.exception() is not None:
        traceback.print_exception(task.exception())
