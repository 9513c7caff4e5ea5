"""The application's line to its engine process: keeps it alive, forwards events as Textual messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from textual.message import Message

from webbench.core.engine import messages
from webbench.core.engine.client import EngineClient
from webbench.core.engine.options import HostOptions
from webbench.core.errors import EnvironmentDown, WebbenchError

RESTARTS_IN_A_ROW = 3


class EngineLink:
    """Starts the engine, forwards its events, restarts it when it dies.

    A dead engine's episode is resumed from its record: what was recorded is replayed.
    """

    @dataclass
    class Happened(Message):
        """An engine event."""

        event: messages.Event

    def __init__(self, options: HostOptions, log: Path) -> None:
        self._post: Callable[[messages.Event], None] = lambda _event: None
        self._client = EngineClient(options, log)
        self._start: messages.StartEpisode | None = None
        self._episode = ""
        self._closing = False
        self._waiting: list[messages.Intent] = [messages.WarmUp()]

    @property
    def pid(self) -> int | None:
        return self._client.pid

    async def run(self, post: Callable[[messages.Event], None]) -> None:
        """Start the engine and give its events to `post` until `close`. Run it as a worker."""
        self._post = post
        failures = 0
        while not self._closing and failures < RESTARTS_IN_A_ROW:
            await self._client.start()
            if failures and self._start is not None:
                self._waiting = [self._resumption(self._start), *self._worth_sending()]
            while self._waiting:
                await self._client.send(self._waiting.pop(0))
            failures = await self._forward(failures) + 1
            if not self._closing:
                text = "The engine process ended unexpectedly; starting it again"
                self._post(messages.Trouble(message=text, hint="the episode is resumed from its record"))
        if not self._closing:
            text = f"The engine ended {failures} times in a row"
            hint = f"its log is {self._client.log}; `webbench-tui doctor` checks the browser"
            self._post(messages.Trouble(message=text, hint=hint, fatal=True))

    def _resumption(self, start: messages.StartEpisode) -> messages.StartEpisode:
        return msgspec.structs.replace(start, resume=self._episode) if self._episode else start

    def _worth_sending(self) -> list[messages.Intent]:
        """What waited for the dead engine and still makes sense: not the start of the same episode."""
        return [intent for intent in self._waiting if intent is not self._start]

    async def _forward(self, failures: int) -> int:
        """Forward until the process ends; an episode step in between clears the count of failures."""
        try:
            async for event in self._client.events():
                if isinstance(event, messages.EpisodeStarted):
                    self._episode = event.header.episode
                elif isinstance(event, messages.EpisodeEnded):
                    self._start = None
                elif isinstance(event, messages.StepRecorded):
                    failures = 0
                self._post(event)
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))
        return failures

    async def send(self, intent: messages.Intent) -> None:
        """Send an intent, or keep it until the engine runs; a dead engine is reported, not raised."""
        if isinstance(intent, messages.StartEpisode):
            self._start, self._episode = intent, ""
        if not self._client.running:
            self._waiting.append(intent)
            return
        try:
            await self._client.send(intent)
        except EnvironmentDown as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))

    async def close(self) -> None:
        """End the engine and its browser."""
        self._closing = True
        await self._client.close()
