"""What tests of screens share: they know when threads have read and drawn what a screen asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.tui.waiting import Threads


@pytest.fixture(autouse=True)
def threads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    real = asyncio.to_thread

    async def counted(work: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        Threads.at_work += 1
        try:
            return await real(work, *args, **options)
        finally:
            Threads.at_work -= 1

    monkeypatch.setattr(Threads, "at_work", 0)
    monkeypatch.setattr(asyncio, "to_thread", counted)
