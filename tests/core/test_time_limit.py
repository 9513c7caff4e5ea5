from __future__ import annotations

import asyncio

import pytest

from webbench.core.time_limit import time_limit


async def test_what_takes_longer_is_ended_and_told() -> None:
    limit = time_limit(0.01)
    with pytest.raises(TimeoutError):
        async with limit:
            await asyncio.Event().wait()
    assert limit.expired()


async def test_what_is_cleaned_up_while_its_task_is_cancelled_hears_of_the_limit_alone() -> None:
    """Before Python 3.11.3 `asyncio.timeout` ends the clean-up by a cancellation."""
    told = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            try:
                async with time_limit(0.01):
                    await asyncio.Event().wait()
            except TimeoutError:
                told.append("the limit")

    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["the limit"]


async def test_a_cancellation_that_comes_with_the_answer_is_not_lost() -> None:
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def work() -> None:
        while True:
            async with time_limit(10):
                await answer
            await asyncio.sleep(0)

    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    answer.set_result(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5)
