"""The screen's end of the engine: starts the child process, sends intents, yields events."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from webbench.core.engine.process.engine_options import VARIABLE, HostOptions
from webbench.core.engine.wire import framing, messages
from webbench.core.errors import EnvironmentDown
from webbench.core.own_python import child_environment, module_command
from webbench.core.store.records.temporary import private_folder
from webbench.core.time_limit import time_limit

LARGEST_LOG = 4_000_000
"""Bytes beyond which a log is put aside when an engine starts; one old log is kept."""


class EngineClient:
    """One engine process. `events` ends when the process does; `restart` starts another.

    Args:
        options: store and browser of the engine.
        log: file that takes everything the process prints.
    """

    def __init__(self, options: HostOptions, log: Path) -> None:
        self.options = options
        self.log = log
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process; it starts its browser when asked to."""
        private_folder(self.log.parent)
        with contextlib.suppress(FileNotFoundError):
            if self.log.stat().st_size > LARGEST_LOG:
                self.log.replace(self.log.with_name(f"{self.log.name}.old"))
        options = msgspec.json.encode(self.options).decode()
        with os.fdopen(os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *module_command("webbench.core.engine.process.host"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=framing.LIMIT,
                env=child_environment(PYTHONUNBUFFERED="1", **{VARIABLE: options}),
                start_new_session=True,
            )

    async def send(self, intent: messages.Intent) -> None:
        """Send one intent.

        Raises:
            EnvironmentDown: the process is gone.
        """
        if self._process is None or self._process.stdin is None or not self.running:
            raise EnvironmentDown("The engine is not running", f"its log is {self.log}")
        try:
            self._process.stdin.write(framing.encode(intent))
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise EnvironmentDown("The engine went away", f"its log is {self.log}") from error

    async def events(self) -> AsyncIterator[messages.Event]:
        """Events until the process ends."""
        if self._process is None or self._process.stdout is None:
            return
        while (event := await framing.read(self._process.stdout, messages.EVENTS)) is not None:
            yield event

    async def close(self, grace: float = 5.0) -> None:
        """Close the engine's stdin and wait; kill it when it takes longer than `grace` seconds."""
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with time_limit(grace):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
