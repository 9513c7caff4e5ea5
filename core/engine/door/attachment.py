"""A live episode that was begun elsewhere: looked at by its files, taken over or spoken in by its doors."""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.engine.door.connection import Connection
from webbench.core.engine.door.following import FollowedEpisode
from webbench.core.engine.wire import messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.episode.utterances import instructor_of
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, seconds_since

HARMLESS = messages.TakeScreenshot | messages.Refresh | messages.PreviewAnswer
"""Intents that a screen sends by itself: without the episode in hand they are left out without a word."""

ONLY_LOOKED_AT = messages.Trouble(
    message="This episode is only looked at", hint="take it over first", warning=True
)


class Attachment:
    """One episode; `run` tells its events, `take_over` and `hand_back` change who acts, `speak` instructs."""

    def __init__(self, store: Store, run: str, episode: str) -> None:
        self.run_name, self.episode = run, episode
        self._path = door_place.door_path(store.root / run, episode)
        self._talk = door_place.talk_path(store.root / run, episode)
        self._followed = FollowedEpisode(store, run, episode)
        self._connection: Connection | None = None
        self._post: Callable[[messages.Event], None] = lambda _event: None
        self._ended = False

    @property
    def held(self) -> bool:
        """Whether the person here has the episode in hand."""
        return self._connection is not None

    @property
    def instructor(self) -> str:
        """Who may speak in it as its instructor; "" where a person lets nobody in, or a runner plays it."""
        return instructor_of(self._followed.header)

    @property
    def seconds(self) -> float:
        """How long the episode has been going on; 0 while its header isn't read."""
        header = self._followed.header
        return seconds_since(header.started) if header is not None else 0.0

    async def run(self, post: Callable[[messages.Event], None]) -> None:
        """Give what happens to `post` until the episode has ended or `close`; never raises for a record."""
        self._post = post
        while not self._ended:
            await self._follow()
            if self._connection is None:
                return
            await self._listen(self._connection)

    async def take_over(self) -> bool:
        """Stop the agent after the step in flight and have the episode; False, and told, where that fails."""
        try:
            await self.require()
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))
            return False
        return True

    async def require(self) -> None:
        """The same. Raises `EnvironmentDown` where nobody answers at the episode's door."""
        if self._connection is None:
            self._connection = await Connection.begin(self._path)
            self._followed.stop()

    async def hand_back(self) -> None:
        """Let the agent go on; nothing where it does already."""
        if self._connection is not None:
            await self._connection.leave()

    async def send(self, intent: messages.Intent) -> None:
        """To the episode while it is in hand; else the answer is that it is only looked at."""
        if isinstance(intent, messages.RunAgent) and intent.steps is None:
            await self.hand_back()
        elif self._connection is not None:
            await self._sent(self._connection, intent)
        elif isinstance(intent, messages.AddNote) and self.instructor:
            await self._spoken(intent.text)
        elif not isinstance(intent, HARMLESS):
            self._post(ONLY_LOOKED_AT)

    async def _sent(self, connection: Connection, intent: messages.Intent) -> None:
        try:
            await connection.send(intent)
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))

    async def speak(self, text: str) -> Step:
        """Have it recorded as the instructor's words; the step, which `run` tells like every other.

        Raises:
            EnvironmentDown: nobody lets an instructor in, or the navigator's program ended meanwhile.
            WebbenchError: it is not recorded, and why.
        """
        connection = await Connection.begin(self._talk)
        try:
            await connection.send(messages.AddNote(text=text))
            async for event in connection.events():
                if isinstance(event, messages.StepRecorded):
                    return event.step
                if isinstance(event, messages.Trouble):
                    raise WebbenchError(event.message, event.hint)
        finally:
            connection.close()
        raise EnvironmentDown(
            "The navigator's program ended before it answered", "look whether it was recorded"
        )

    async def _spoken(self, text: str) -> None:
        try:
            await self.speak(text)
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))

    async def close(self) -> None:
        """Hand back and stop telling."""
        self._ended = True
        if self._connection is not None:
            await self._connection.leave()
            self._connection.close()
        self._followed.stop()

    async def _follow(self) -> None:
        try:
            async for event in self._followed.events():
                self._tell(event)
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint, fatal=True))

    async def _listen(self, connection: Connection) -> None:
        """What the runner tells; steps that the files have told already are left out."""
        try:
            async for event in connection.events():
                if isinstance(event, messages.StepRecorded):
                    if event.step.index < self._followed.next_step:
                        continue
                    self._followed.next_step = event.step.index + 1
                self._tell(event)
        except WebbenchError as error:
            self._post(messages.Trouble(message=error.message, hint=error.hint))
        finally:
            connection.close()
            self._connection = None
        if not self._ended and self._followed.header is not None:
            self._post(messages.AgentChanged(name=self._followed.header.actor, running=True))

    def _tell(self, event: messages.Event) -> None:
        if isinstance(event, messages.EpisodeEnded):
            self._ended = True
        self._post(event)
