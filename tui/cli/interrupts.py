"""Interrupts of a long command (Ctrl+C, SIGTERM): the first ends it in order, the second at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

from webbench.core.agents.command import command

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def ending_in_order(leave: Callable[[], object]) -> Iterator[None]:
    """Call `leave` in the running loop at the first Ctrl+C, SIGTERM or SIGHUP, and leave at the second one.

    The second works also where the loop is held up. Browsers end by themselves when our end of their pipes
    closes; programs that are agents might not. Under `nohup` the end of the terminal ends nothing.
    """
    loop = asyncio.get_running_loop()
    told: list[int] = []

    def tell(number: int, _frame: FrameType | None) -> None:
        if told:
            command.end_all()
            os._exit(128 + number)
        told.append(number)
        loop.call_soon_threadsafe(leave)

    endings = [one for one in ENDINGS if one != signal.SIGHUP or signal.getsignal(one) != signal.SIG_IGN]
    before = {ending: signal.signal(ending, tell) for ending in endings}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)
