"""A foreign program, with packages of its own: in a folder of its own, spoken to by lines of JSON.

It is trusted with nothing: a line of its output has a bounded length, and its process group ends with us,
also after `kill -9`.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from webbench.core.agents.command.output import OutputLines, keep_lines
from webbench.core.browser.starting.keeper import Keeper, kept_process
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.own_python import INTERPRETER
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

STDERR_LINES = 30
END_SECONDS = 10.0
"""For a process to be gone, and for the rest of what it wrote."""


class ForeignProgram:
    """One process; made by `start`.

    Attributes:
        folder: its working folder, also for temporary files; gone when the program is.
        output: what it writes to stdout.
    """

    def __init__(self, process: asyncio.subprocess.Process, keeper: Keeper, longest_line: int) -> None:
        assert process.stdout is not None
        self.folder = keeper.folder
        self.output = OutputLines(process.stdout, longest_line)
        self._process = process
        self._keeper = keeper
        self._over = False
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._reading = asyncio.create_task(keep_lines(process.stderr, self._stderr))

    @classmethod
    async def start(
        cls,
        command: Callable[[Path], Sequence[str]],
        variables: Callable[[Path], Mapping[str, str]],
        longest_line: int,
    ) -> ForeignProgram:
        """As `keeper.kept_process`.

        Args:
            longest_line: bytes of a line of its output.
        """
        return cls(*await kept_process(command, variables), longest_line)

    @property
    def log(self) -> str:
        """The last lines that it wrote to stderr."""
        return "\n".join(self._stderr)

    def send(self, message: JsonObject) -> None:
        """A line of JSON to its stdin; that it has ended is told by its output."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def last_words(self) -> str:
        """The last line that it wrote to stderr before its end."""
        with suppress(TimeoutError):
            async with time_limit(END_SECONDS):
                await asyncio.shield(self._reading)
        last = next(filter(None, map(str.strip, reversed(self._stderr))), "it said nothing")
        return plain_clip(last, 300)

    async def close(self, seconds: float) -> None:
        """End its stdin, let it leave by itself within so long, then end it; idempotent."""
        if self._over:
            return
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with suppress(TimeoutError):
            async with time_limit(seconds):
                await self._process.wait()
        await self.end()

    async def end(self) -> None:
        """End it at once, with all that it started and its folder; idempotent."""
        if self._over:
            return
        self._over = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._keeper.close()
        with suppress(TimeoutError):
            async with time_limit(END_SECONDS):
                await self._process.wait()
        self._reading.cancel()


def interpreter(python: str, hint: str) -> str:
    """The path of the interpreter that was named, "" for ours.

    Args:
        hint: what to do where there is none.

    Raises `UsageError`.
    """
    named = str(Path(python).expanduser()) if python else INTERPRETER
    if (found := shutil.which(named)) is None:
        raise UsageError(f'There is no Python "{plain_clip(named, 80)}"', hint)
    return str(Path(found).absolute())
