"""The program in a real terminal: leaves it as it was, leaves no process, does the whole job."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.pty_program import PtyProgram
from webbench.core.store.store import Store

LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"
PROGRAM = [sys.executable, "-m", "webbench.tui"]


def children(pid: int) -> set[int]:
    """Every process below one, by Linux's process table."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def state(pid: int) -> str:
    """One letter of the process table, "" where the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def wait_until_gone(pids: set[int], seconds: float = 20) -> set[int]:
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(state(pid) not in ("", "Z") for pid in pids):
        time.sleep(0.1)
    return {pid for pid in pids if state(pid) not in ("", "Z")}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_ending_restores_the_terminal_and_leaves_no_process(tmp_path: Path, ending: signal.Signals) -> None:
    with PtyProgram([*PROGRAM, "step", "demo", "open-product", "--store", str(tmp_path)]) as program:
        program.wait_for(b"step 0", 60)
        program.settle(0.5)
        below = children(program.pid)
        assert len(below) > 2
        os.kill(program.pid, ending)
        program.settle(1.0, 10)
        assert wait_until_gone(below) == set()
        if ending is not signal.SIGKILL:
            assert LEAVES_ALTERNATE_SCREEN in program.output
            assert b"Traceback" not in program.output


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
def test_ctrl_z_suspends_and_the_shell_can_bring_it_back(tmp_path: Path) -> None:
    with PtyProgram([*PROGRAM, "step", "demo", "open-product", "--store", str(tmp_path)]) as program:
        program.wait_for(b"step 0", 60)
        program.settle(0.5)
        program.send("\x1a")
        program.wait_for(LEAVES_ALTERNATE_SCREEN, 10)
        os.kill(program.pid, signal.SIGCONT)
        resumed_at = len(program.output)
        for _ in range(20):
            program.send("4")
            program.settle(1.0)
            if b"A note on this step" in program.output[resumed_at:]:
                break
            program.send("1")
            program.settle(0.5)
        else:
            pytest.fail("the panel of notes was not painted after the program was brought back")


def test_from_library_to_a_submitted_run_in_the_store(tmp_path: Path) -> None:
    with PtyProgram([*PROGRAM, "--store", str(tmp_path)]) as program:
        program.wait_for(b"How much does the Fyr", 60)
        program.settle(0.5)
        program.send("/")
        program.settle()
        program.send("price-of")
        program.settle(0.5)
        program.send("\r")
        program.settle(0.5)
        program.send("\r")
        program.wait_for(b"step 0", 60)
        program.settle(1.0)
        program.send("b")
        program.settle()
        program.send("stop [$68]\r")
        program.wait_for(b"Episode ended", 60)
        program.settle(0.5)
        program.send("q")
        program.settle(2.0, 30)
        program.send("\x11")
        program.settle(1.0)
    [episode] = Store(tmp_path).episodes()
    assert episode.name == "price-of-lantern"
    assert episode.actor == "human"
    assert episode.value is not None
