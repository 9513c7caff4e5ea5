"""A running episode by its files, as the events of a live one: on any machine that has the store."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from webbench.core.engine.wire import messages
from webbench.core.errors import BadData
from webbench.core.store.records import codec, reader
from webbench.core.store.records.recorder import STEPS
from webbench.core.store.store import Store
from webbench.core.time_limit import time_limit
from webbench.core.trajectory import HUMAN, SCHEMA_VERSION, EpisodeHeader, Step, Trajectory

POLL_SECONDS = 0.4
LONELY_POLLS = 10
"""Polls in a row without a writer after which that is told; an episode may just be about to end."""


class FollowedEpisode:
    """Reads what was added since the last look; the page is that of the newest step.

    Attributes:
        header: as it was last read.
        next_step: steps before this one have been told.
    """

    def __init__(self, store: Store, run: str, episode: str) -> None:
        self._store = store
        self._folder = store.root / run / episode
        self._read = 0
        self._lonely = 0
        self._stopped = asyncio.Event()
        self.header: EpisodeHeader | None = None
        self.next_step = 0

    async def events(self) -> AsyncIterator[messages.Event]:
        """What happens until the episode has ended or `stop`; a later call goes on from there.

        Raises `BadData` for a record that can't be read.
        """
        while True:
            for event in await asyncio.to_thread(self.look):
                yield event
            if self.header is not None and self.header.ended:
                return
            with contextlib.suppress(TimeoutError):
                async with time_limit(POLL_SECONDS):
                    await self._stopped.wait()
                self._stopped.clear()
                return

    def stop(self) -> None:
        """Look no more; what was read is still told."""
        self._stopped.set()

    def look(self) -> list[messages.Event]:
        """What is new. The header is read first: a step that is there when it ends is never missed."""
        began = self.header is None
        header = reader.read_header(self._folder)
        self.header = header
        steps = [step for step in self._new_steps() if step.index >= self.next_step]
        events: list[messages.Event] = [] if not began else [messages.EpisodeStarted(header=header)]
        if began and not header.ended and header.actor != HUMAN:
            events.append(messages.AgentChanged(name=header.actor, running=True))
        seen = next((step for step in reversed(steps) if step.observation), None)
        for step in steps:
            if step is seen:
                events += self._page(header, step)
            if step.score is not None:
                events.append(messages.Scored(step=step.index, score=step.score))
            events.append(messages.StepRecorded(step=step))
            self.next_step = step.index + 1
        if header.ended:
            return [*events, *_ended(header)]
        return [*events, *self._alone(bool(steps))]

    def _new_steps(self) -> list[Step]:
        """The whole lines that were added; a line in the making is read when it is whole."""
        path = self._folder / STEPS
        try:
            with path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except OSError as error:
            raise BadData(f"{path} can't be read: {error.strerror or error}") from error
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        return [codec.decode_record(line, Step, SCHEMA_VERSION, str(path)) for line in whole.splitlines()]

    def _page(self, header: EpisodeHeader, step: Step) -> list[messages.Event]:
        """Observation and picture of a step; what can't be read is told."""
        record = Trajectory(header=header)
        try:
            observation = self._store.observation(record, step)
            told: list[messages.Event] = [messages.Observed(step=step.index, observation=observation)]
            picture = self._store.screenshot(record, step)
        except BadData as error:
            return [messages.Trouble(message=error.message, hint=error.hint, warning=True)]
        return told if picture is None else [*told, messages.Pictured.of(step.index, picture)]

    def _alone(self, grew: bool) -> list[messages.Event]:
        """Once, that nobody on this machine writes the episode any more."""
        written = grew or reader.is_being_written(self._folder)
        self._lonely = 0 if written else self._lonely + 1
        if self._lonely != LONELY_POLLS:
            return []
        message = "Nobody on this machine is recording this episode"
        hint = "its runner has died, or is on another machine and the next step will show here"
        return [messages.Trouble(message=message, hint=hint, warning=True)]


def _ended(header: EpisodeHeader) -> list[messages.Event]:
    ended: list[messages.Event] = [messages.EpisodeEnded(header=header)]
    if header.score is None:
        return ended
    return [messages.Scored(step=max(0, header.steps - 1), score=header.score), *ended]
