"""Work in a thread that nobody waits for when the program ends."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_background(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Like `asyncio.to_thread`, but an event loop that is closed doesn't wait for the thread."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(tell: Callable[[], None]) -> None:
        if not answer.done():
            tell()

    def run() -> None:
        try:
            tell = partial(answer.set_result, work(*arguments, **named))
        except Exception as error:
            tell = partial(answer.set_exception, error)
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, tell)

    threading.Thread(target=run, daemon=True).start()
    return await answer
