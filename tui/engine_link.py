"""The application's line to its engine process: keeps it alive, forwards events as Textual messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from textual.message import Message

from webbench.core.engine.wire import messages
from webbench.core.errors import EnvironmentDown, WebbenchError

if TYPE_CHECKING:
    from webbench.core.engine.process.client import EngineClient
    from webbench.core.engine.process.engine_options import HostOptions

RESTARTS_IN_A_ROW = 3


class EngineLink:
    """Starts the engine, forwards its events, restarts it when it dies.

    A dead engine's episode is resumed from its record: what was recorded is replayed, and the agent that
    was at hand is there again, paused.
    """

    @dataclass
    class Happened(Message):
        """An engine event."""

        event: messages.Event

    def __init__(self, options: Callable[[], HostOptions], log: Path, *, warm: bool = True) -> None:
        """`options` are made when the engine is started: after the first paint.

        `warm` starts the browser at once, before an episode needs it.
        """
        self._post: Callable[[messages.Event], None] = lambda _event: None
        self._options = options
        self._log = log
        self._client: EngineClient | None = None
        self._start: messages.StartEpisode | None = None
        self._episode = ""
        self._agent = ""
        self._closing = False
        self._ready = False
        self._replaying = ""
        self._waiting: list[messages.Intent] = [messages.WarmUp()] if warm else []

    @property
    def pid(self) -> int | None:
        return self._client.pid if self._client is not None else None

    async def run(self, post: Callable[[messages.Event], None]) -> None:
        """Start the engine and give its events to `post` until `close`. Run it as a worker."""
        from webbench.core.engine.process.client import EngineClient

        self._post = post
        self._client = client = EngineClient(self._options(), self._log)
        failures = 0
        while not self._closing and failures < RESTARTS_IN_A_ROW:
            try:
                await client.start()
            except OSError as error:
                self._post(messages.Trouble(message=f"The engine can't be started: {error}", fatal=True))
                return
            if failures and self._start is not None:
                waiting = self._worth_sending()
                self._start = self._resumption(self._start)
                self._waiting = [self._start, *waiting]
            await self._flush(client)
            failures = await self._forward(client, failures) + 1
            self._ready = False
            if not self._closing:
                text = "The engine process ended unexpectedly; starting it again"
                self._post(messages.Trouble(message=text, hint="the episode is resumed from its record"))
        if not self._closing:
            text = f"The engine ended {failures} times in a row"
            hint = f"its log is {self._log}; `webbench-tui doctor` checks the browser"
            self._post(messages.Trouble(message=text, hint=hint, fatal=True))

    def _resumption(self, start: messages.StartEpisode) -> messages.StartEpisode:
        if not self._episode:
            return start
        fork_step = start.fork_step if self._episode == start.resume else None
        return msgspec.structs.replace(start, resume=self._episode, fork_step=fork_step, agent=self._agent)

    async def _flush(self, client: EngineClient) -> None:
        """Send what waited; what a process that dies at once did not take waits for the next one.

        Nobody who looks at a list of tasks waits for the browser: it is started last.
        """
        self._waiting.sort(key=lambda intent: isinstance(intent, messages.WarmUp))
        try:
            while self._waiting:
                await client.send(self._waiting[0])
                self._waiting.pop(0)
            self._ready = True
        except EnvironmentDown as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))

    def _worth_sending(self) -> list[messages.Intent]:
        """What waited for the dead engine and still makes sense: not the start of the same episode."""
        return [intent for intent in self._waiting if intent is not self._start]

    async def _forward(self, client: EngineClient, failures: int) -> int:
        """Forward until the process ends; an episode step in between clears the count of failures."""
        try:
            async for event in client.events():
                if isinstance(event, messages.EpisodeStarted):
                    self._replaying = event.header.episode
                    self._agent = self._start.agent if self._start is not None else ""
                    forking = self._start is not None and self._start.fork_step is not None
                    if not (event.header.resumed_from or forking):
                        self._episode = self._replaying
                elif isinstance(event, messages.Replayed):
                    self._episode = self._replaying
                elif isinstance(event, messages.AgentChanged):
                    self._agent = event.spec
                elif isinstance(event, messages.EpisodeEnded | messages.EpisodeKept):
                    if event.header.episode == self._replaying:
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
            self._start, self._episode, self._replaying = intent, intent.resume, ""
        if self._client is None or not self._ready:
            self._waiting.append(intent)
            return
        try:
            await self._client.send(intent)
        except EnvironmentDown as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))

    async def close(self) -> None:
        """End the engine and its browser."""
        self._closing = True
        if self._client is not None:
            await self._client.close()
