"""A link to no engine: intents are kept, events are posted by the test; for screens' own behaviour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webbench.core.engine import messages
from webbench.core.engine.options import HostOptions
from webbench.tui.engine_link import EngineLink


class SilentLink(EngineLink):
    """Keeps what is sent in `sent`; `happen` gives an event to the application."""

    def __init__(self) -> None:
        super().__init__(lambda: HostOptions(store=""), Path())
        self.sent: list[messages.Intent] = []

    async def run(self, post: Callable[[messages.Event], None]) -> None:
        self._post = post

    def happen(self, event: messages.Event) -> None:
        self._post(event)

    async def send(self, intent: messages.Intent) -> None:
        self.sent.append(intent)

    async def close(self) -> None:
        pass
