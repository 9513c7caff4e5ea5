"""A link to no engine: intents are kept, events are posted by the test; for screens' own behaviour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from webbench.core.engine.process.engine_options import HostOptions
from webbench.core.engine.wire import messages
from webbench.tui.engine_link import EngineLink


class SilentLink(EngineLink):
    """Keeps what is sent in `sent`; `happen` gives an event to the application."""

    def __init__(self) -> None:
        super().__init__(lambda: HostOptions(store=""), Path())
        self.sent: list[messages.Intent] = []
        self._early: list[messages.Event] = []
        self._post = self._early.append

    async def run(self, post: Callable[[messages.Event], None]) -> None:
        self._post = post
        for event in self._early:
            post(event)

    def happen(self, event: messages.Event) -> None:
        self._post(event)

    async def send(self, intent: messages.Intent) -> None:
        self.sent.append(intent)

    async def close(self) -> None:
        pass


async def first_screen(pilot: Pilot[None]) -> None:
    """Wait until the first screen, which comes after the first paint, has the focus."""
    for _ in range(500):
        await pilot.pause()
        if len(pilot.app.screen_stack) > 1 and pilot.app.screen.focused is not None:
            return
    raise AssertionError("no screen was opened")
