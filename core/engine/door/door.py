"""The door of a running episode: a person takes it out of its runner's hands, and gives it back.

Whoever connects has the episode: the agent is stopped after the step in flight, and what the person sends
goes to that very episode, framed as between a screen and its engine. `Shutdown`, or the end of the
connection, hands it back; so does a long silence, so that nobody's absence holds up a run.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from functools import partial

from webbench.core.agent import Agent
from webbench.core.agents.advice import Advice
from webbench.core.engine.cancelling import end
from webbench.core.engine.door.takeover import TakenOver
from webbench.core.engine.engine import Engine
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.intents import handle_intents, read_intents
from webbench.core.engine.wire import framing, messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.engine.wire.messages import Emit
from webbench.core.episode.episode import Episode
from webbench.core.errors import WebbenchError
from webbench.core.provenance import Provenance
from webbench.core.time_limit import time_limit

LONGEST_SILENCE = 1800.0
"""Seconds without an intent after which the agent goes on."""
MOST_UNREAD = 128 * 1024 * 1024
"""Bytes that may wait for a person's program; one that reads no more is let go."""
LAST_WORDS = 120.0
"""Seconds that an action of a person who went away may still take."""
FAREWELL = 5.0
TAKEN, DONE = "taken over by a person", "handed back to the agent"
GONE = "handed back to the agent: the person's program went away"
SILENT = "handed back to the agent: nothing came from the person for {:.0f} minutes"


class Door:
    """Of one episode: `opened` around it, `play` in the place of the agent's turns, `emit` for its events.

    Args:
        emit: who is told of the episode's events besides the person.
        silence: see `LONGEST_SILENCE`.
    """

    def __init__(self, engine: Engine, emit: Emit, *, silence: float = LONGEST_SILENCE) -> None:
        self._engine = engine
        self._emit = emit
        self._silence = silence
        self._interruption = agent_turns.Interruption()
        self._turn: agent_turns.Turn | None = None
        self._person: asyncio.StreamWriter | None = None
        self._stopped, self._free, self._ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._free.set()

    @property
    def held(self) -> bool:
        """Whether a person has the episode: its time isn't the agent's."""
        return self._person is not None

    def emit(self, event: messages.Event) -> None:
        self._emit(event)
        self._show(event)

    async def play(self, episode: Episode, agent: Agent) -> None:
        """Let the agent take its turns, but for the time that a person has the episode."""
        while not episode.ended:
            self._turn = await agent_turns.run(
                episode, agent, first=self._turn, interruption=self._interruption
            )
            if not self.held:
                return
            self._stopped.set()
            await self._free.wait()
            self._stopped.clear()

    @contextlib.asynccontextmanager
    async def opened(self, episode: Episode, agent: Agent) -> AsyncIterator[None]:
        """Let people in meanwhile; where no socket can be made, nobody can come."""

        header = episode.header
        path = door_place.door_path(self._engine.store.root / header.run, header.episode)
        try:
            listening = door_place.listen(path)
        except OSError as error:
            logging.getLogger(__name__).warning("%s can't be taken over: %s", header.episode, error)
            yield
            return
        async with door_place.served(path, listening, partial(self._connected, episode, agent)):
            yield

    async def _connected(
        self, episode: Episode, agent: Agent, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One person at the door, from the first byte to the last."""
        try:
            if self.held:
                writer.write(framing.encode(_refused("somebody else has it in hand")))
                return
            self._person = writer
            self._show_past(episode)
            self._free.clear()
            self._interruption.request()
            try:
                await self._stopped.wait()
                await self._hand_over(episode, agent, reader)
            finally:
                self._person = None
                self._interruption.clear()
                self._free.set()
        finally:
            await _hang_up(writer)

    async def _hand_over(self, episode: Episode, agent: Agent, reader: asyncio.StreamReader) -> None:
        if episode.ended:
            self._show(messages.EpisodeEnded(header=episode.header))
            return
        taken = Provenance(proposed_by=agent.name, decision="took over")
        await _note(episode, TAKEN, Advice(provenance=taken))
        self._show_page(episode)
        sitting = TakenOver(self._engine, self._show, episode, agent, self._turn)
        sitting.begin()
        episode.limits.time.pause()
        try:
            why = await self._serve(sitting, reader)
        finally:
            self._turn = await sitting.release()
            episode.limits.time.go_on()
        await _note(episode, why)

    def _show_past(self, episode: Episode) -> None:
        """Before anything that happens from now on: whoever listens takes steps in their order only."""
        for step in episode.steps:
            self._show(messages.StepRecorded(step=step))

    def _show_page(self, episode: Episode) -> None:
        """What the actor has before it now."""
        step = len(episode.steps) - 1
        self._show(messages.Observed(step=step, observation=episode.observation))
        if (picture := episode.screenshot) is not None:
            self._show(messages.Pictured.of(step, picture))

    async def _serve(self, sitting: TakenOver, reader: asyncio.StreamReader) -> str:
        """Until the person or the episode has done with it; why it ended."""
        intents: asyncio.Queue[messages.Intent] = asyncio.Queue()
        reading = asyncio.create_task(read_intents(reader, intents, sitting))
        handling = asyncio.create_task(handle_intents(sitting, intents))
        over = asyncio.create_task(self._over())
        try:
            while True:
                left = sitting.heard + self._silence - time.monotonic()
                tasks = (reading, handling, over)
                done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                if handling in done:
                    return DONE
                if done:
                    return await self._last_words(sitting, intents, handling)
                if time.monotonic() > sitting.heard + self._silence:
                    self._show(_refused("the agent goes on: nothing came from here for too long"))
                    return SILENT.format(self._silence / 60)
        finally:
            for task in (reading, handling, over):
                await end(task)

    async def _over(self) -> None:
        await self._ended.wait()

    async def _last_words(
        self,
        sitting: TakenOver,
        intents: asyncio.Queue[messages.Intent],
        handling: asyncio.Task[None],
    ) -> str:
        """Let what is being done come to its end; what nobody waits for any more is not begun."""
        while not intents.empty():
            intents.get_nowait()
        sitting.announce(messages.Shutdown())
        intents.put_nowait(messages.Shutdown())
        await asyncio.wait([handling], timeout=LAST_WORDS)
        return GONE

    def _show(self, event: messages.Event) -> None:
        """To the person, if any."""
        if isinstance(event, messages.EpisodeEnded):
            self._ended.set()
        if self._person is None or self._person.is_closing():
            return
        self._person.write(framing.encode(event))
        if self._person.transport.get_write_buffer_size() > MOST_UNREAD:
            self._person.transport.abort()


def _refused(why: str) -> messages.Trouble:
    return messages.Trouble(message=f"This episode can't be taken over: {why}", hint="it can be looked at")


async def _note(episode: Episode, text: str, advice: Advice = Advice()) -> None:
    """In the record, while there is one to write in."""
    if not episode.ended:
        with contextlib.suppress(WebbenchError):
            await episode.note(text, advice)


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with time_limit(FAREWELL):
            await writer.wait_closed()
