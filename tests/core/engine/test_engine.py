"""The engine's browser: one for all episodes, also after it died."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from webbench.core.action.action import Goto
from webbench.core.browser.launch import kill
from webbench.core.engine.engine import Engine
from webbench.core.environment import EnvironmentSetup
from webbench.core.store.store import Store

pytestmark = pytest.mark.browser


async def test_a_browser_that_died_comes_back_for_everyone(tmp_path: Path) -> None:
    async with Engine(Store(tmp_path)) as engine:
        browser = await engine.browser()
        first = browser.pid
        assert first is not None
        other = browser.environment()
        await other.reset(EnvironmentSetup())
        kill(first)
        while browser.alive:
            await asyncio.sleep(0.01)
        assert await engine.browser() is browser
        assert browser.alive
        assert browser.pid != first
        result = await other.act(Goto(url="about:blank"))
        assert result.ok, result.error
        await other.close()
