"""Getting an episode's steps onto disk: in order, none lost when the disk fails for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from webbench.core.episode import events
from webbench.core.errors import WebbenchError
from webbench.core.observation import Observation, Screenshot
from webbench.core.score.score import Score
from webbench.core.trajectory import EpisodeHeader, Step


class StepRecorder(Protocol):
    """What an episode needs of a recorder (see `core.store`)."""

    async def append(
        self,
        step: Step,
        *,
        observation: Observation | None = None,
        screenshot: Screenshot | None = None,
        html: str = "",
    ) -> Step:
        """Write the step and return it with its blob names; it is on disk when this returns."""
        ...

    async def keep_picture(self, screenshot: Screenshot) -> str:
        """Keep a picture ahead of its step; its name."""
        ...

    def keep_file(self, path: Path) -> str: ...

    def revise(self, **changes: Any) -> EpisodeHeader: ...

    def finish(self, score: Score | None, reason: str) -> EpisodeHeader: ...


class Seen(NamedTuple):
    """A step with what the actor saw after it, waiting to be written."""

    step: Step
    observation: Observation | None = None
    screenshot: Screenshot | None = None
    html: str = ""


class StepWriter:
    """Writes steps in order; what can't be written now is tried again with the next one.

    Attributes:
        trouble: why something is not on disk, "" where everything is.
    """

    def __init__(self, recorder: StepRecorder, emit: Callable[[events.EpisodeEvent], None]) -> None:
        self._recorder = recorder
        self._emit = emit
        self._waiting: list[Seen] = []
        self._one_writer = asyncio.Lock()
        self.trouble = ""

    async def write(self, seen: Seen, downloads: Path | None = None) -> list[Step]:
        """Write this step and all that wait; returns those that are on disk now, as they were written."""
        self._waiting.append(seen)
        written = await self._write_waiting()
        await self._keep_downloads(downloads)
        return written

    async def _write_waiting(self) -> list[Step]:
        async with self._one_writer:
            written = []
            while self._waiting:
                try:
                    written.append(await self._write_first())
                    self.trouble = ""
                except WebbenchError as error:
                    self.trouble = error.message
                    waiting = f"tried again with the next step; so many wait in memory: {len(self._waiting)}"
                    self._emit(events.Trouble(message=error.message, hint=f"{error.hint}; {waiting}"))
                    break
            return written

    async def _write_first(self) -> Step:
        """Write the step that waits longest; a cancelled wait lets the disk finish first."""
        seen = self._waiting[0]
        writing = asyncio.ensure_future(
            self._recorder.append(
                seen.step, observation=seen.observation, screenshot=seen.screenshot, html=seen.html
            )
        )
        try:
            recorded = await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            if writing.exception() is None:
                self._waiting.pop(0)
            raise
        self._waiting.pop(0)
        return recorded

    async def keep_picture(self, screenshot: Screenshot) -> str:
        """Keep a picture ahead of its step; its name, "" where the disk fails, which is reported."""
        try:
            return await self._recorder.keep_picture(screenshot)
        except WebbenchError as error:
            self._emit(events.Trouble(message=error.message, hint=error.hint))
            return ""

    async def _keep_downloads(self, downloads: Path | None) -> None:
        """Move what was downloaded since the last step into the episode's folder.

        Names with a dot in front are downloads under way.
        """
        try:
            if downloads is not None:
                await asyncio.to_thread(self._move_finished, downloads)
        except (WebbenchError, OSError) as error:
            self._emit(events.Trouble(message=f"A download was not kept with the episode: {error}"))

    def _move_finished(self, downloads: Path) -> None:
        for path in sorted(downloads.iterdir()):
            if path.is_file() and not path.name.startswith("."):
                self._recorder.keep_file(path)
                path.unlink()

    def tell_actors(self, header: EpisodeHeader) -> EpisodeHeader:
        """Have the record's header name who acts, as soon as another one does; gives the header.

        A disk that fails now is told with the step itself.
        """
        try:
            self._recorder.revise(actor=header.actor, actors=header.actors)
        except WebbenchError as error:
            self.trouble = error.message
        return header

    async def leave(self, downloads: Path | None) -> None:
        """Write what waits, and no end; a failing disk is reported."""
        await self._write_waiting()
        await self._keep_downloads(downloads)

    def revise(self, header: EpisodeHeader, **changes: Any) -> EpisodeHeader:
        """The header with these changes; a failing disk is reported, and they are written at the end."""
        try:
            return self._recorder.revise(**changes)
        except WebbenchError as error:
            self._emit(events.Trouble(message=error.message, hint=error.hint))
            return msgspec.structs.replace(header, **changes)

    async def finish(
        self, header: EpisodeHeader, score: Score, reason: str, *, downloads: Path | None
    ) -> EpisodeHeader:
        """Write what waits, who acted, and the end of the episode; a failing disk is reported."""
        await self._write_waiting()
        await self._keep_downloads(downloads)
        try:
            self._recorder.revise(actor=header.actor, actors=header.actors, agent_reach=header.agent_reach)
            return self._recorder.finish(score, reason)
        except WebbenchError as error:
            self.trouble = error.message
            self._emit(events.Trouble(message=error.message, hint=error.hint))
            return msgspec.structs.replace(header, end_reason=reason, score=score)
