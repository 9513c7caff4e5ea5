"""How long an actor has been thinking since the page was ready, pauses left out."""

from __future__ import annotations

import time
from collections.abc import Callable


class IdleTime:
    """Counts from `restart`; the clock is any that never goes back, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._paused_at: float | None = None

    @property
    def seconds(self) -> float:
        until = self._clock() if self._paused_at is None else self._paused_at
        return max(0.0, until - self._since)

    def restart(self) -> None:
        self._since = self._clock()
        self._paused_at = None

    def pause(self) -> None:
        if self._paused_at is None:
            self._paused_at = self._clock()

    def go_on(self) -> None:
        if self._paused_at is not None:
            self._since += self._clock() - self._paused_at
            self._paused_at = None
