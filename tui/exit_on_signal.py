"""Exit on a signal that says so, even with a terminal that no longer takes what is written to it."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signal import _HANDLER

ENDINGS = (signal.SIGTERM, signal.SIGHUP)
CLOSING_SECONDS = 8.0
"""How long engine and record may take to close; the engine is killed before that."""
RESTORING_SECONDS = 1.0
"""How long the terminal may take to be put back afterwards."""


class Leaving:
    """Turns SIGTERM and SIGHUP into an orderly exit, with an end to waiting for it.

    A terminal that went away can block the program for ever: the thread that writes to it dies, and the
    queue to that thread fills. A thread of our own then ends the process; the engine, whose standard
    input closes with it, ends by itself.
    """

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = threading.Event()
        self._before: dict[signal.Signals, _HANDLER] = {}
        self._began = False

    def watch(self) -> None:
        """Take the signals; call it in the running loop of the main thread."""
        self._loop = asyncio.get_running_loop()
        self._before = {ending: signal.signal(ending, self._on_signal) for ending in ENDINGS}

    def closed(self) -> None:
        """Engine and record are closed; what is left is the terminal."""
        self._closed.set()
        for ending, before in self._before.items():
            signal.signal(ending, before)
        self._before = {}

    def _on_signal(self, number: int, _frame: object) -> None:
        """Runs between two steps of the main thread, also while that waits for a lock."""
        if number == signal.SIGHUP:
            # A hang-up comes with SIGCONT, at which the driver would start on the dead terminal again.
            signal.signal(signal.SIGCONT, _stay)
        if self._began or self._loop is None:
            return
        self._began = True
        threading.Thread(target=self._end, args=(number,), daemon=True, name="leaving").start()
        self._loop.call_soon_threadsafe(self._leave)

    def _end(self, number: int) -> None:
        self._closed.wait(CLOSING_SECONDS)
        time.sleep(RESTORING_SECONDS)
        os._exit(128 + number)


def _stay(_number: int, _frame: object) -> None:
    """Nothing to go on with."""
