"""Work beside the event loop: its answer, its failure, and leaving without it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from webbench.core.engine.session.background_thread import in_background


async def test_the_answer_comes_back_from_another_thread() -> None:
    here = threading.get_ident()
    assert await in_background(threading.get_ident) != here
    assert await in_background(int, "11", base=2) == 3


async def test_a_failure_is_raised_where_it_is_awaited() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        await in_background(int, "many")


def test_an_event_loop_ends_without_waiting_for_it() -> None:
    may_end, ended = threading.Event(), threading.Event()

    def work() -> None:
        may_end.wait(60)
        ended.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(in_background(work), 0.05)

    asyncio.run(main())
    assert not ended.is_set()
    may_end.set()
