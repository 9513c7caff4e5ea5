"""Waiting for what a screen shows: messages, workers and new sizes take effect when it has come to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot


async def until(pilot: Pilot[Any], holds: Callable[[], bool], seconds: float = 60) -> None:
    """Returns when it holds. Raises `TimeoutError` where it never does."""
    async with asyncio.timeout(seconds):
        while not holds():
            await pilot.pause(0.03)
