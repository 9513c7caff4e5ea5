"""Running a command of this program beside a screen: its lines as they come, its exit code, its end."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable, Sequence

from webbench.core.own_python import child_environment
from webbench.core.time_limit import time_limit
from webbench.tui.own_command import own_command

LONGEST_LINE = 4_000
"""Characters after which a line is broken."""
GRACE = 5.0
"""Seconds in which a command that was left may end in order."""
LAST_WORDS = 1.0
"""Seconds in which its output is closed once it has ended: what it began may keep it open."""
DRAWING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What a terminal would be told to do."""


class Running:
    """One command in a process group of its own. It prints as on a terminal but reads nothing: it can't ask.

    Args:
        words: after the program's name.
        columns: that its tables may take.
        took: is called with each bunch of lines, standard output and errors in their order.
        drew: is called with the line that it draws over and over, such as how far it is.
    """

    def __init__(
        self,
        words: Sequence[str],
        columns: int,
        took: Callable[[list[str]], None],
        drew: Callable[[str], None],
    ) -> None:
        self._words = words
        self._columns = columns
        self._lines = _Lines(took, drew)
        self._process: asyncio.subprocess.Process | None = None
        self._told_to_end = False

    async def to_its_end(self) -> int:
        """The exit code; negative for the signal that ended it. Who is cancelled ends it, too."""
        ours, its = pty.openpty()
        output = os.fdopen(ours, "rb", buffering=0)
        try:
            await asyncio.get_running_loop().connect_read_pipe(lambda: self._lines, output)
            self._process = process = await self._started(its)
        finally:
            os.close(its)
        try:
            code = await process.wait()
            with contextlib.suppress(TimeoutError):
                async with time_limit(LAST_WORDS):
                    await self._lines.closed.wait()
            return code
        except asyncio.CancelledError:
            self._signal(signal.SIGINT)
            with contextlib.suppress(TimeoutError):
                async with time_limit(GRACE):
                    await process.wait()
            raise
        finally:
            self._signal(signal.SIGKILL)
            self._lines.close()

    async def _started(self, output: int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *own_command(self._words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=child_environment(COLUMNS=str(self._columns), PYTHONUNBUFFERED="1"),
            start_new_session=True,
        )

    def end(self) -> None:
        """As Ctrl+C does, so that what is recorded stays whole; the second time at once."""
        self._signal(signal.SIGKILL if self._told_to_end else signal.SIGINT)
        self._told_to_end = True

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)


def run_in_terminal(words: Sequence[str], told: Callable[[int], str]) -> None:
    """Run a command with this terminal as its own; then wait for Enter, where there is something to be told.

    Ctrl+C is the command's: it ends nothing else.

    Args:
        told: what is said of its exit code, "" for nothing.
    """
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        done = subprocess.run(own_command(words), env=child_environment(), check=False)
        if text := told(done.returncode):
            print(f"\n{text} Enter goes back to the screens.")
            with contextlib.suppress(EOFError):
                input()
    finally:
        signal.signal(signal.SIGINT, before)


class _Lines(asyncio.Protocol):
    """Takes bytes of a terminal apart into lines, and the one that is written over."""

    def __init__(self, took: Callable[[list[str]], None], drew: Callable[[str], None]) -> None:
        self.closed = asyncio.Event()
        self._took, self._drew = took, drew
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, rest = (self._rest + self._decoder.decode(data)).split("\n")
        before, _, last = rest.rstrip("\r").rpartition("\r")
        self._rest = rest[len(before) :].removeprefix("\r") if before else rest
        if len(self._rest) > LONGEST_LINE:
            lines.append(self._rest)
            self._rest = ""
        if lines:
            self._took([part for line in lines for part in _parts(_undrawn(line))])
        self._drew(_undrawn(last))

    def connection_lost(self, exc: Exception | None) -> None:  # a terminal ends by an error
        if rest := _undrawn(self._rest):
            self._took(_parts(rest))
        self._rest = ""
        self.closed.set()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def _parts(line: str) -> list[str]:
    return [line[at : at + LONGEST_LINE] for at in range(0, max(1, len(line)), LONGEST_LINE)]


def _undrawn(line: str) -> str:
    """What of a line was to be seen at last, without how it was drawn."""
    return DRAWING.sub("", line.rstrip("\r").rpartition("\r")[2])
