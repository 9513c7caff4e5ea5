"""SIGTERM to a command and all processes of its group, as service managers send it: no noise."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.core.engine.processes import alive, descendants

# Processes are found in a table that macOS has no /proc to read from.
pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
PROGRAM = [sys.executable, "-u", "-m", "webbench.tui"]
NOISE = ("Traceback", "never retrieved", "Error:", "Exception", "node:")


@pytest.mark.parametrize(
    ("words", "marker", "processes", "code"),
    [
        (["run", "demo", "--agent", "oracle"], "episodes to play", 6, 130),
        pytest.param(
            ["step", "demo", "open-product"], "score:", 6, -signal.SIGTERM, marks=pytest.mark.thorough
        ),
        pytest.param(
            ["serve", "mcp", "--port", "PORT"], "MCP at http", 0, -signal.SIGTERM, marks=pytest.mark.thorough
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_a_group_that_is_terminated_says_nothing_of_it(
    tmp_path: Path, words: list[str], marker: str, processes: int, code: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    argv = [*PROGRAM, *(port if word == "PORT" else word for word in words), "--store", str(tmp_path)]
    pipe = subprocess.PIPE
    both = subprocess.STDOUT
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=both, start_new_session=True) as program:
        try:
            assert program.stdout is not None
            before = _read_until(marker, program.stdout.fileno())
            while len(below := descendants(program.pid)) < processes:
                assert program.poll() is None
                time.sleep(0.02)
            os.killpg(program.pid, signal.SIGTERM)
            said = program.communicate(timeout=60)[0].decode()
            assert program.returncode == code, before + said
            assert not [word for word in NOISE if word in said], said
            end = time.monotonic() + 20
            while any(map(alive, below)):
                assert time.monotonic() < end, "its processes are left"
                time.sleep(0.02)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)


def _read_until(marker: str, pipe: int) -> str:
    """What is said up to the marker. Raises `AssertionError` where the program ends before."""
    said = ""
    while marker not in said:
        more = os.read(pipe, 4096).decode(errors="replace")
        assert more, said
        said += more
    return said
