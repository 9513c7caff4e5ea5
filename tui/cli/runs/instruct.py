"""`instruct`: say to a person in another terminal what to do in their episode, and hear what they answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.engine.door.attachment import Attachment
from webbench.core.engine.wire import messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.episode.utterances import utterance_of
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.store.store import Store
from webbench.core.trajectory import Step
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import flush, print_json_line, print_text, say
from webbench.tui.cli.place import find_episode, open_store
from webbench.tui.cli.runs.attach import open_attached
from webbench.tui.cli.stdin_lines import stdin_lines
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
TOLD = messages.EpisodeStarted | messages.StepRecorded | messages.EpisodeEnded


def instruct_command(
    name: Annotated[
        str,
        typer.Argument(help="Episode of the navigator; without it the one that waits for an instructor."),
    ] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Instruct a navigator who steps a task in another terminal, and hear what they answer.

    The navigator begins with `step TASK --instructor NAME`. At a terminal the episode is shown as it goes on,
    and Enter in the panel Talk says something.
    Without a terminal (or with --json) every line of stdin is an utterance, and every step and utterance of
    the episode is told in a line, from its beginning. The navigator keeps the episode in hand. Both sides
    are turns of the record, which `weblinx export` writes as such. Coming back later loses nothing.

    Exit 0 when the input or the episode ended, 1 when something that was said could not be recorded (each
    is told), 2 for an unknown episode or where none, or several, wait; 3 when this one lets nobody in.
    """
    opened = open_store(store)
    folder = _waiting_episode(opened, name)
    if as_json or not at_terminal():
        raise typer.Exit(asyncio.run(_Instructor(opened, folder, as_json).talk()))
    door_place.connect(door_place.talk_path(folder.parent, folder.name)).close()
    open_attached(folder)


def _waiting_episode(store: Store, name: str) -> Path:
    """Raises `UsageError` where no episode, or more than one, is meant."""
    if name:
        return find_episode(store, name)
    waiting = door_place.open_talks(store.root)
    if len(waiting) == 1:
        return waiting[0]
    if not waiting:
        raise UsageError(
            "No episode waits for an instructor here",
            "the navigator begins one with `webbench-tui step TASK --instructor NAME`",
        )
    several = ", ".join(folder.name for folder in waiting[:5])
    raise UsageError(f"{len(waiting)} episodes wait for an instructor: {several}", "name one of them")


class _Instructor:
    """Lines of stdin go to the navigator; what happens in the episode is printed."""

    def __init__(self, store: Store, folder: Path, as_json: bool) -> None:
        self._attachment = Attachment(store, folder.parent.name, folder.name)
        self._door = door_place.talk_path(folder.parent, folder.name)
        self._as_json = as_json
        self._unheard = 0
        self._told = -1
        self._news = asyncio.Event()

    async def talk(self) -> int:
        """Until the input or the episode ends. Raises `EnvironmentDown` where nobody is let in."""
        door_place.connect(self._door).close()
        hearing = asyncio.create_task(self._attachment.run(self._tell))
        speaking = asyncio.create_task(self._speak())
        try:
            done, _ = await asyncio.wait([hearing, speaking], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            speaking.cancel()
            await self._attachment.close()
            await asyncio.wait([hearing, speaking])
        return 1 if self._unheard else 0

    async def _speak(self) -> None:
        """Each line; done when the last one that was recorded is told, too."""
        last = -1
        async for line in stdin_lines():
            if not (text := line.strip()):
                continue
            try:
                last = (await self._attachment.speak(text)).index
            except EnvironmentDown:
                raise
            except WebbenchError as error:
                self._unheard += 1
                say(f"not said: {error}")
        while self._told < last:
            self._news.clear()
            await self._news.wait()

    def _tell(self, event: messages.Event) -> None:
        if isinstance(event, messages.Trouble):
            say(f"{event.message} ({event.hint})" if event.hint else event.message)
            return
        if not isinstance(event, TOLD):
            return
        if isinstance(event, messages.StepRecorded):
            self._told = event.step.index
            self._news.set()
        if self._as_json:
            spoken = utterance_of(event.step) if isinstance(event, messages.StepRecorded) else None
            said = {"said": spoken._asdict() if spoken is not None else None}
            print_json_line({"schema_version": SCHEMA_VERSION} | msgspec.to_builtins(event) | said)
        else:
            print_text(_event_line(event))
        flush()


def _event_line(event: TOLD) -> str:
    match event:
        case messages.EpisodeStarted(header=header):
            return header.task.heading
        case messages.StepRecorded(step=step):
            return _step_words(step)
        case messages.EpisodeEnded(header=header):
            return f"ended: {header.end_reason}"


def _step_words(step: Step) -> str:
    if (said := utterance_of(step)) is not None:
        return f"{said.speaker}: {said.text}"
    page = " · ".join(filter(None, (step.title, step.url)))
    done = step.note or step.text or "start"
    return "\n  ".join(filter(None, (f"— step {step.index} {done}", step.error and f"! {step.error}", page)))
