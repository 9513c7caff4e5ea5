"""A bound on what is waited for, which keeps its word on every Python that is supported."""

from __future__ import annotations

import asyncio
from types import TracebackType


def time_limit(seconds: float | None) -> TimeLimit:
    """Cancel what is awaited inside once it has taken so many seconds; None: never.

    `asyncio.wait_for` of Python 3.11 loses a cancellation that comes in the same moment as the answer, and
    `asyncio.timeout` of 3.11.0 to 3.11.2 (Debian 12) ends by `CancelledError` where its task is already being
    cancelled: what is cleaned up then would be left half done.

    Raises `TimeoutError`, on leaving.

    Example:
        >>> async with time_limit(2.0):
        ...     await process.wait()
    """
    return TimeLimit(seconds)


class TimeLimit:
    """See `time_limit`. What is entered is asyncio's own, which can be given another time."""

    def __init__(self, seconds: float | None) -> None:
        self._limit = asyncio.timeout(seconds)  # noqa: TID251 - the one place
        self._task = asyncio.current_task()
        self._before = self._task.cancelling() if self._task is not None else 0

    def expired(self) -> bool:
        """Whether the time is over, and what was awaited was cancelled."""
        return self._limit.expired()

    async def __aenter__(self) -> asyncio.Timeout:
        return await self._limit.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._limit.__aexit__(kind, error, trace)
        ours = isinstance(error, asyncio.CancelledError) and self.expired()
        if ours and self._task is not None and self._task.cancelling() <= self._before:
            raise TimeoutError from error
