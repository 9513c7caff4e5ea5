"""Work in a thread that nobody waits for when the program ends."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def aside(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Like `asyncio.to_thread`, but an event loop that is closed doesn't wait for the thread."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: T | None = None
        trouble: Exception | None = None
        try:
            result = work(*arguments, **named)
        except Exception as error:
            trouble = error
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, trouble)

    threading.Thread(target=run, daemon=True).start()
    return await answer
