"""Taking intents off a stream: each is announced to the session as it arrives, and carried out in turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webbench.core.engine.wire import framing, messages

if TYPE_CHECKING:
    from webbench.core.engine.session.session import Session


async def read_intents(
    stream: asyncio.StreamReader, intents: asyncio.Queue[messages.Intent], session: Session
) -> None:
    """Queue what comes until the stream ends. Raises `WebbenchError` for bytes that are no message."""
    while (intent := await framing.read(stream, messages.INTENTS)) is not None:
        session.announce(intent)
        intents.put_nowait(intent)


async def handle_intents(session: Session, intents: asyncio.Queue[messages.Intent]) -> None:
    """Carry out one after the other until `Shutdown` comes."""
    while True:
        intent = await intents.get()
        await session.handle(intent)
        if isinstance(intent, messages.Shutdown):
            return
