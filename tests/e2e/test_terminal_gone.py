"""The terminal goes away, by a closed connection or a killed session: the program ends with it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.core.engine.processes import alive, descendants
from tests.terminal.pty_program import PtyProgram

# Orphans are found by the numbers of their parents, which macOS has no /proc to read in.
pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
PROGRAM = [sys.executable, "-m", "webbench.tui", "step", "demo", "open-product", "--store"]


class Connection(PtyProgram):
    """A program whose terminal can be taken away."""

    def hang_up(self) -> None:
        os.close(self._fd)
        self._fd = -1

    def has_ended(self) -> bool:
        """Whether the child has ended; collects it."""
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, os.WNOHANG)
        return not alive(self.pid)


@contextmanager
def stepping(argv: list[str]) -> Iterator[tuple[Connection, set[int]]]:
    """A task that is shown, and the processes below the program; whatever is left is killed at the end."""
    program = Connection(argv)
    below: set[int] = set()
    try:
        program.wait_to_show("step 0", 60)
        below = descendants(program.pid)
        yield program, below
    finally:
        for pid in (program.pid, *below):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(program.has_ended, 5)


def until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize("insisting", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_closed_terminal_ends_the_program(tmp_path: Path, insisting: bool) -> None:
    """A shell or multiplexer may say more than once that a process is to go on, while it is leaving."""
    with stepping([*PROGRAM, str(tmp_path)]) as (program, below):
        assert len(below) > 2
        program.hang_up()
        for _ in range(5 * insisting):
            time.sleep(0.05)
            with contextlib.suppress(ProcessLookupError):
                os.kill(program.pid, signal.SIGCONT)
        assert until(program.has_ended)
        assert until(lambda: not any(map(alive, below)))


@pytest.mark.thorough
def test_a_killed_session_ends_the_program(tmp_path: Path) -> None:
    shell = ["/bin/sh", "-c", f"{shlex.join([*PROGRAM, str(tmp_path)])}; exit 0"]
    with stepping(shell) as (program, below):
        assert len(below) > 3
        os.kill(program.pid, signal.SIGKILL)
        program.hang_up()
        assert until(lambda: not any(map(alive, below)))
