"""Waiting for what a screen shows: messages, workers and new sizes take effect when it has come to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.css.query import NoMatches
from textual.pilot import Pilot

ROUNDS = 3
"""So often are all messages handled without a thread at work: by then what they call for has begun."""


class Threads:
    """How many threads read or draw for the screens of a test; `tests/tui/conftest.py` lets it count."""

    at_work = 0


async def until(pilot: Pilot[Any], holds: Callable[[], bool], seconds: float = 60) -> None:
    """Returns when it holds; of a screen whose parts aren't there yet it doesn't.

    Raises `TimeoutError` where it never does.
    """

    def held() -> bool:
        try:
            return holds()
        except NoMatches:
            return False

    async with asyncio.timeout(seconds):
        while not held():
            await pilot.pause(0.03)


async def at_rest(pilot: Pilot[Any], seconds: float = 60) -> None:
    """Returns when all messages were handled and no thread reads or draws: pictures are drawn, files read."""
    async with asyncio.timeout(seconds):
        quiet = 0
        while quiet < ROUNDS:
            await pilot.pause()
            quiet = 0 if Threads.at_work else quiet + 1
