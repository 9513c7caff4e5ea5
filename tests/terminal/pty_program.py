"""A program in a pty of its own: raw bytes out, keys in, everything timed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tests.terminal.emulator import Emulator

ASKS_ATTRIBUTES, ATTRIBUTES = b"\x1b[c", b"\x1b[?62;c"
"""What every terminal answers when it is asked what it is: a VT220 without graphics."""


class PtyProgram:
    """Starts `argv` in a new session on a pty; use as a context manager.

    `output` is everything the program has written so far, `shown` the screen that it makes; `ended`
    is set once the program was seen to have closed its terminal.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        columns: int = 160,
        rows: int = 48,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.output = bytearray()
        self.ended = False
        self._mark = 0
        self._emulator = Emulator(columns, rows)
        self._emulated = 0
        self.started = time.perf_counter()
        variables = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(environment or {})}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            if name not in (environment or {}):
                variables.pop(name, None)
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(argv[0], list(argv), variables)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def read(self, seconds: float) -> bytes:
        """What arrives within `seconds`, at once when something does; b"" when nothing did."""
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            self.ended = True
            return b""
        known = len(self.output)
        self.output += data
        if self.output.find(ASKS_ATTRIBUTES, max(0, known - len(ASKS_ATTRIBUTES) + 1)) >= 0:
            os.write(self._fd, ATTRIBUTES)
        return data

    def wait_for(self, marker: bytes, seconds: float = 30.0) -> float:
        """Seconds until `marker` was in the output since the last `send` or start.

        Raises:
            TimeoutError: with the tail of what came instead.
        """
        begin = time.perf_counter()
        looked_at = self._mark
        while time.perf_counter() - begin < seconds:
            if self.output.find(marker, max(self._mark, looked_at - len(marker))) >= 0:
                return time.perf_counter() - begin
            looked_at = len(self.output)
            if self.ended:
                break
            self.read(0.05)
        raise TimeoutError(f"{marker!r} did not come; last output: {bytes(self.output[-600:])!r}")

    @property
    def shown(self) -> str:
        """What the screen shows by all that was read so far."""
        self._emulator.feed(bytes(self.output[self._emulated :]))
        self._emulated = len(self.output)
        return self._emulator.text

    def wait_to_show(self, text: str, seconds: float = 30.0, *, gone: bool = False) -> None:
        """Read until the screen shows `text`, or with `gone` until it no longer does.

        Raises:
            TimeoutError: with the screen as it is instead.
        """
        end = time.perf_counter() + seconds
        while (text in self.shown) is gone:
            if self.ended or time.perf_counter() > end:
                state = "the program ended: " if self.ended else ""
                raise TimeoutError(f"{state}{text!r} {'stays' if gone else 'is not shown'}:\n{self.shown}")
            self.read(0.05)

    def settle(self, quiet: float = 0.3, seconds: float = 10.0) -> None:
        """Read until nothing has come for `quiet` seconds."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds and self.read(quiet):
            pass

    def send(self, keys: str | bytes) -> None:
        """Press keys."""
        self._mark = len(self.output)
        os.write(self._fd, keys.encode() if isinstance(keys, str) else keys)

    def memory(self, pid: int = 0) -> int:
        """Resident memory of the program itself, or of another process, in KiB (Linux)."""
        with open(f"/proc/{pid or self.pid}/status") as status:
            line = next(line for line in status if line.startswith("VmRSS"))
        return int(line.split()[1])

    def end(self, grace: float = 5.0) -> None:
        """Terminate the program and collect it; idempotent."""
        if self._fd < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        begin = time.perf_counter()
        while time.perf_counter() - begin < grace:
            self.read(0.05)
            done, _ = os.waitpid(self.pid, os.WNOHANG)
            if done:
                break
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)
        self._fd = -1
