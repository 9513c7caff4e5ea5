"""A live environment that recorded HTML is shown in."""

from __future__ import annotations

import contextlib
from typing import Any
from urllib.parse import quote

from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import launch
from webbench.core.environment import EnvironmentSetup


class BrowserPage:
    """One environment of a real Chromium; raises `EnvironmentDown` without one."""

    def __init__(self, environment: BrowserEnvironment, stack: contextlib.AsyncExitStack) -> None:
        self.environment = environment
        self._stack = stack

    @classmethod
    async def open(cls) -> BrowserPage:
        async with contextlib.AsyncExitStack() as stack:
            browser = await stack.enter_async_context(launch())
            environment = browser.environment()
            stack.push_async_callback(environment.close)
            return cls(environment, stack.pop_all())

    async def show(self, html: str, script: str) -> None:
        """Load HTML into a fresh context, then run a script on its document."""
        await self.environment.reset(
            EnvironmentSetup(start_urls=(f"data:text/html;charset=utf-8,{quote(html)}",))
        )
        if script:
            await self.environment.probe(f"() => {{ {script}; return null }}")

    async def probe(self, script: str, argument: Any = None) -> Any:
        return await self.environment.probe(script, argument)

    async def close(self) -> None:
        await self._stack.aclose()
