"""The engine as a process of its own: `python -m webbench.core.engine.process.host`.

Reads intents from stdin and writes events to stdout. It ends when stdin closes, so that no browser
outlives the screen it belonged to. Everything that prints goes to stderr, which the client sends to a
log file.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import BinaryIO

import msgspec

from webbench.core.engine.cancelling import end
from webbench.core.engine.engine import Engine
from webbench.core.engine.process.engine_options import VARIABLE, HostOptions
from webbench.core.engine.session.intents import handle_intents, read_intents
from webbench.core.engine.session.session import Session
from webbench.core.engine.wire import framing, messages
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.store.store import Store

LEAVING_SECONDS = 20.0


async def serve(options: HostOptions, events: BinaryIO) -> None:
    """Handle intents until stdin closes, a signal asks to end, or `Shutdown` comes.

    Whatever is going on when stdin closes is cancelled: the other side is gone. What can't be ended in
    `LEAVING_SECONDS` is left to the reaper; every recorded step is on disk by then.
    """
    loop = asyncio.get_running_loop()
    stdin = asyncio.StreamReader(limit=framing.LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdin), sys.stdin)
    intents: asyncio.Queue[messages.Intent] = asyncio.Queue()

    def emit(event: messages.Event) -> None:
        with contextlib.suppress(OSError):
            events.write(framing.encode(event))
            events.flush()

    store = Store(Path(options.store), configured_redaction(load_settings()))
    async with Engine(store, options.browser, viewport=options.viewport, drain=False) as engine:
        session = Session(engine, emit)
        reading = asyncio.create_task(read_intents(stdin, intents, session))
        working = asyncio.create_task(handle_intents(session, intents))
        for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(ending, reading.cancel)
        await asyncio.wait([reading, working], return_when=asyncio.FIRST_COMPLETED)
        leaving = threading.Timer(LEAVING_SECONDS, os._exit, (1,))
        leaving.daemon = True
        leaving.start()
        for task in (reading, working):
            await end(task)
        await session.close()
    leaving.cancel()


def main() -> None:
    """Entry point of the child process."""
    options = msgspec.json.decode(os.environ.pop(VARIABLE), type=HostOptions)
    events = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asyncio.run(serve(options, events))


if __name__ == "__main__":
    main()
