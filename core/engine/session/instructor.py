"""An instructor is let in to a person's episode: what they say is recorded in their name, and nothing else.

The navigator keeps the episode in hand. The instructor reads the record (see `door.attachment`), and comes to
the door for each utterance: who goes away and comes back has missed nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

from webbench.core.engine.wire import framing, messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.episode.episode import Episode
from webbench.core.episode.utterances import INSTRUCTOR, Utterance
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.text.plain_text import plain_text

LONGEST = 4_000
"""Characters of an utterance; a longer one is refused, as nothing is cut in silence."""


@contextlib.asynccontextmanager
async def instructor_let_in(episode: Episode, store: Path) -> AsyncIterator[None]:
    """Record what an instructor says meanwhile. Raises `EnvironmentDown` where no door can be made."""
    header = episode.header
    path = door_place.talk_path(store / header.run, header.episode)
    try:
        listening = door_place.listen(path)
    except OSError as error:
        raise EnvironmentDown(
            f"No instructor can come into {header.episode}: {error.strerror or error}",
            f"a socket is needed in {path.parent}; the store may lie on a disk that has none",
        ) from error
    async with door_place.served(path, listening, partial(_connected, episode)):
        yield


async def _connected(episode: Episode, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each intent with the recorded step, or why there is none."""
    try:
        while (intent := await framing.read(reader, messages.INTENTS)) is not None:
            writer.write(framing.encode(await _answer(episode, intent)))
            await writer.drain()
    except WebbenchError as error:
        writer.write(framing.encode(messages.Trouble(message=error.message, hint=error.hint)))
    except ConnectionError:
        return  # what was said is recorded, whether or not its speaker waits for the answer
    finally:
        writer.close()


async def _answer(episode: Episode, intent: messages.Intent) -> messages.StepRecorded | messages.Trouble:
    if not isinstance(intent, messages.AddNote):
        return messages.Trouble(message="An instructor only speaks", hint="the navigator acts")
    text = intent.text.strip()
    if not text:
        return messages.Trouble(message="Nothing was said", hint="write what you want the navigator to do")
    if len(text) > LONGEST:
        told = f"That has {len(text):,} characters, and an utterance at most {LONGEST:,}"
        return messages.Trouble(message=told, hint="say it in parts")
    try:
        step = await episode.note(Utterance(INSTRUCTOR, plain_text(text)).note)
    except WebbenchError as error:
        return messages.Trouble(message=error.message, hint=error.hint)
    if episode.unrecorded:
        told = f"That waits in memory: {episode.unrecorded}"
        return messages.Trouble(message=told, hint="it is written with the next step; don't say it again")
    return messages.StepRecorded(step=step)
