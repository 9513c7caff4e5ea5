"""An event loop for callers that can't await: scripts, notebooks, and libraries such as Gymnasium."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

Result = TypeVar("Result")


class BackgroundLoop:
    """An event loop in a thread of its own. Use as a context manager, or call `close`.

    All that is called on it shares the loop, so that a browser opened by one call serves the next.
    """

    def __init__(self) -> None:
        started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(_serve(started)), daemon=True)
        self._thread.start()
        self._loop, self._closing = started.result()

    def __enter__(self) -> BackgroundLoop:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def call(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Wait for the result. Raises what the work raises, and `RuntimeError` once the loop is closed.

        An interruption here (Ctrl+C) cancels the work, waits until it has ended in order, and is raised
        again; a second one doesn't wait.
        """
        ended: Future[Result] = Future()
        tasks: list[asyncio.Task[Result]] = []

        def begin() -> None:
            task = self._loop.create_task(work)
            tasks.append(task)
            task.add_done_callback(lambda _task: _settle(ended, task))

        self._loop.call_soon_threadsafe(begin)
        try:
            return ended.result()
        except BaseException:
            if not ended.done():
                self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
                with contextlib.suppress(Exception, asyncio.CancelledError):
                    ended.result()
            raise

    def close(self) -> None:
        """Cancel what is still going on, wait for its end, and end the thread. Idempotent."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()


def _settle(ended: Future[Result], task: asyncio.Task[Result]) -> None:
    if task.cancelled():
        ended.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        ended.set_exception(error)
    else:
        ended.set_result(task.result())


async def _serve(started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]) -> None:
    closing = asyncio.Event()
    started.set_result((asyncio.get_running_loop(), closing))
    await closing.wait()


def wait_for(work: Coroutine[Any, Any, Result]) -> Result:
    """Wait for the result where nothing can be awaited.

    In a script the work runs in an event loop of its own. Where a loop runs already, as in a notebook, it
    runs in a thread with another one, and the notebook's loop is blocked until it is done.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with BackgroundLoop() as loop:
        return loop.call(work)
