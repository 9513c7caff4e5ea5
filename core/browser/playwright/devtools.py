"""DevTools sessions over Playwright, and its errors in our words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webbench.core.browser.driver import CdpSession, SheetTexts, without_effect
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from playwright.async_api import CDPSession as DriverSession

COMMAND_TIMEOUT = 60.0
GONE = ("has been closed", "Target crashed", "Connection closed", "was detached")


class PlaywrightSession:
    """A `CdpSession` over Playwright's, which leaves what was sent to a page unanswered when that crashes."""

    def __init__(self, session: DriverSession) -> None:
        self._session = session
        self._ended = ""
        self._waiting: set[asyncio.Timeout] = set()

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        if self._ended:
            raise EnvironmentDown(f"the page is gone: {self._ended}")
        with translated(method):
            try:
                async with time_limit(COMMAND_TIMEOUT) as waiting:
                    self._waiting.add(waiting)
                    try:
                        answer: JsonObject = await self._session.send(method, params)
                    finally:
                        self._waiting.discard(waiting)
            except TimeoutError as error:
                if self._ended:
                    raise EnvironmentDown(f"the page is gone: {self._ended}") from error
                raise ActionFailed(
                    f"the page did not answer {method} within {COMMAND_TIMEOUT:.0f} s"
                ) from error
        return answer

    def end(self, reason: str) -> None:
        """Nothing will be answered here any more: whoever waits gets `EnvironmentDown`."""
        self._ended = reason
        for waiting in self._waiting:
            if not waiting.expired():
                waiting.reschedule(0.0)

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        self._session.on(event, lambda parameters: handler(parameters or {}))

    async def enable(self, commands: Sequence[str]) -> None:
        """Send all of these in one flight."""
        await asyncio.gather(*(self.send(method) for method in commands))


class PlaywrightFrame:
    """A cross-process iframe."""

    def __init__(self, session: PlaywrightSession, frame_id: str, sheets: SheetTexts) -> None:
        self.own = session
        self.session: CdpSession = session
        self.frame_id = frame_id
        self.sheets: SheetTexts | None = sheets


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise Playwright's errors as `ActionFailed`, or `EnvironmentDown` where the page is gone.

    Args:
        what: was being done; the message begins with it.
    """
    from playwright.async_api import Error

    try:
        yield
    except Error as error:
        text = first_line(error)
        if any(words in text for words in GONE):
            raise EnvironmentDown(f"the page is gone: {text}") from error
        raise without_effect(what, text) from error


def first_line(error: Exception) -> str:
    """The first line of a driver error, which says what happened; the rest is its call log."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
