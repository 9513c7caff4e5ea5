"""Cancelled calls of models, in a turn that nobody waited for: they were made, and may have to be paid for.

Whoever lets an agent think collects them; what asks models in the agent's name hands them over when its call
is cancelled. A proposal that comes in time has its calls itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from webbench.core.model_call import ModelCall

CUT_OFF = "cut off before there was a reply"

_collected: ContextVar[list[ModelCall] | None] = ContextVar("_collected", default=None)


@contextmanager
def collecting(calls: list[ModelCall]) -> Iterator[None]:
    """Add to the calls those that are handed over meanwhile, also by tasks that are begun in it."""
    token = _collected.set(calls)
    try:
        yield
    finally:
        _collected.reset(token)


def hand_over(calls: Sequence[ModelCall]) -> None:
    """Give the calls of a turn that is cut off to whoever collects them."""
    collected = _collected.get()
    if collected is not None:
        collected.extend(calls)
