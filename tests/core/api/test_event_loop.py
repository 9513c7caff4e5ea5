"""Waiting for asynchronous work where nothing can be awaited."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future

import pytest

from webbench.core.api import event_loop
from webbench.core.api.event_loop import BackgroundLoop, wait_for


async def doubled(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def failing() -> None:
    raise ValueError("no")


def test_a_script_waits() -> None:
    assert wait_for(doubled(2)) == 4


async def test_a_notebook_with_a_running_loop_waits_too() -> None:
    assert wait_for(doubled(3)) == 6
    with pytest.raises(ValueError, match="no"):
        wait_for(failing())


def test_calls_share_the_loop_until_it_is_closed() -> None:
    async def loop_of_call() -> int:
        return id(asyncio.get_running_loop())

    with BackgroundLoop() as loop:
        assert loop.call(loop_of_call()) == loop.call(loop_of_call())
        assert loop.call(doubled(4)) == 8
    loop.close()


def test_what_goes_on_is_ended_in_order_when_the_loop_closes() -> None:
    ended: list[str] = []

    async def begin() -> asyncio.Task[None]:
        async def work() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("in order")

        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        return task

    with BackgroundLoop() as loop:
        _task = loop.call(begin())
    assert ended == ["in order"]


class InterruptedOnce(Future[None]):
    """Ctrl+C while its result is waited for."""

    interrupted = False

    def result(self, timeout: float | None = None) -> None:
        if not self.interrupted:
            self.interrupted = True
            began.wait(10)
            raise KeyboardInterrupt
        return super().result(timeout)


began = threading.Event()


def test_an_interruption_waits_until_the_work_has_ended_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.05)
            ended.append("in order")

    with BackgroundLoop() as loop:
        monkeypatch.setattr(event_loop, "Future", InterruptedOnce)
        with pytest.raises(KeyboardInterrupt):
            loop.call(work())
        assert ended == ["in order"]
