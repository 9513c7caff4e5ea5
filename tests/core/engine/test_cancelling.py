"""Work on intents is ended whatever is going on in it."""

import asyncio

import pytest

from webbench.core.engine import cancelling


async def test_a_task_that_loses_a_cancellation_is_ended_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cancelling, "CANCEL_AGAIN_SECONDS", 0.01)
    lost = 0

    async def work() -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                lost += 1
                if lost == 3:
                    raise

    task = asyncio.create_task(work())
    await asyncio.sleep(0)

    async with asyncio.timeout(60):
        await cancelling.end(task)

    assert task.cancelled()
    assert lost == 3


async def test_what_a_task_failed_with_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    async def work() -> None:
        raise ValueError("out of order")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)

    await cancelling.end(task)

    assert "ValueError: out of order" in capsys.readouterr().err
