"""A run that was begun from the screens goes on when their terminal is taken away."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.e2e.test_terminal_gone import Connection, until
from webbench.core.runner.lease import process_start, read_beat
from webbench.core.runner.status.run_status import run_status

# What a process is, and whether it lives, is read from /proc, which macOS has none of.
pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")


@pytest.mark.thorough
def test_a_lost_connection_ends_the_screens_and_not_the_run(tmp_path: Path) -> None:
    store = tmp_path / "store"
    argv = [sys.executable, "-m", "webbench.tui", "demo", "--store", str(store)]
    with Connection(argv, columns=100, rows=30) as program:
        program.wait_to_show("mind-the-baz", 60)
        program.send("/bazaar\t")
        program.wait_to_show("1 of ")
        program.send("b")
        program.wait_to_show("1 episode of demo", 60)
        program.send("\t\t4")
        program.wait_to_show("--repeat 4")
        program.wait_to_show("4 episodes of demo", 60)
        program.send("\x13")
        program.wait_to_show("Episodes of ", 60)
        program.wait_to_show("running", 60)
        (run,) = (path.name for path in store.iterdir() if (path / "plan.json").is_file())
        beat = read_beat(store / run)
        program.hang_up()
        assert until(program.has_ended, 30)
    assert beat is not None
    deadline = time.monotonic() + 120
    while process_start(beat.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    status = run_status(store, run)
    assert (status.state, status.scored) == ("finished", 4)
