"""The program in a real terminal: leaves it as it was, leaves no process, does the whole job."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.engine.processes import alive, descendants
from tests.terminal.pty_program import PtyProgram
from webbench.core.action.action import Noop
from webbench.core.store.store import Store

ENTERS_ALTERNATE_SCREEN = b"\x1b[?1049h"
LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"
PROGRAM = [sys.executable, "-m", "webbench.tui"]


def state(pid: int) -> str:
    """One letter of the process table, such as T for one that is suspended."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_until(condition: Callable[[], bool], program: PtyProgram, seconds: float = 20) -> bool:
    """Read what the program writes until the condition holds; whether it came to hold."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        program.read(0.05)
    return condition()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
@pytest.mark.parametrize(
    "ending",
    [
        signal.SIGTERM,
        *(pytest.param(one, marks=pytest.mark.thorough) for one in (signal.SIGHUP, signal.SIGKILL)),
    ],
)
def test_ending_restores_the_terminal_and_leaves_no_process(tmp_path: Path, ending: signal.Signals) -> None:
    with PtyProgram([*PROGRAM, "step", "demo", "open-product", "--store", str(tmp_path)]) as program:
        program.wait_to_show("step 0", 60)
        below = descendants(program.pid)
        assert len(below) > 2
        os.kill(program.pid, ending)
        assert wait_until(lambda: not any(map(alive, below)), program)
        assert wait_until(lambda: program.ended, program)
        if ending is not signal.SIGKILL:
            assert LEAVES_ALTERNATE_SCREEN in program.output
            assert b"Traceback" not in program.output


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
def test_ctrl_z_suspends_and_the_shell_can_bring_it_back(tmp_path: Path) -> None:
    with PtyProgram([*PROGRAM, "step", "demo", "open-product", "--store", str(tmp_path)]) as program:
        program.wait_to_show("step 0", 60)
        program.send("\x1a")
        # A shell continues what has stopped; a signal that comes before would be lost.
        assert wait_until(lambda: state(program.pid) == "T", program)
        program.settle()
        assert program.output.rindex(LEAVES_ALTERNATE_SCREEN) > program.output.rindex(ENTERS_ALTERNATE_SCREEN)
        assert program.shown.strip() == ""
        os.kill(program.pid, signal.SIGCONT)
        program.wait_to_show("step 0")
        program.wait_to_show("? Help")
        program.send("4")
        program.wait_to_show("A note on this step")


def test_from_library_to_a_submitted_run_in_the_store(tmp_path: Path) -> None:
    with PtyProgram([*PROGRAM, "--store", str(tmp_path)]) as program:
        program.wait_to_show("Bundled demo", 60)
        program.wait_to_show("How much does the Fyr", 60)
        assert "attempts" not in program.shown
        program.send("/price-of")
        program.wait_to_show("1 of 18")
        program.wait_to_show("task       price-of-lantern")
        program.send("\r")
        program.wait_to_show("step 0", 60)
        program.wait_to_show("119 of ")
        program.send("b")
        program.send("stop [$68]\r")
        program.wait_to_show("Result: price-of-lantern", 60)
        program.send("q")
        program.wait_to_show("Benchmarks")
        program.wait_to_show("attempts    1")
        program.wait_to_show("my last     1.000")
        program.send("\x11")
        assert wait_until(lambda: program.ended, program)
    said = program.output[program.output.rindex(LEAVES_ALTERNATE_SCREEN) :].decode()
    [episode] = Store(tmp_path).episodes()
    assert episode.name == "price-of-lantern"
    assert episode.actor == "human"
    assert episode.value == 1.0
    assert f"webbench-tui show {episode.episode} --store {tmp_path}" in said


@pytest.mark.thorough
def test_an_agent_goes_on_from_its_place_after_a_persons_action(tmp_path: Path) -> None:
    """The README's fifth step: the agent runs, any action of yours takes over, and the agent goes on."""
    arguments = ["step", "demo", "camp-mugs", "--agent", "oracle", "--store", str(tmp_path)]
    with PtyProgram([*PROGRAM, *arguments]) as program:
        program.wait_to_show("oracle at hand", 60)
        for step in (1, 2, 3):
            program.send("L")
            program.wait_to_show(f"step {step} of", 60)
            program.wait_to_show("oracle at hand", 60)
        program.send("b")
        program.send("scroll [down]\r")
        program.wait_to_show("step 4 of", 60)
        [running] = Store(tmp_path).episodes()
        assert (running.state, running.actor) == ("running", "oracle + human")
        program.send("P")
        program.wait_to_show("Result: camp-mugs", 90)
        program.wait_to_show("1.000 (")
    store = Store(tmp_path)
    [episode], [run] = store.episodes(), store.runs()
    assert (episode.actor, episode.mixed, episode.value) == ("oracle + human", True, 1.0)
    assert run.agent == "oracle + human"
    steps = store.load(episode.episode).steps
    assert [step.actor for step in steps[1:]] == ["agent"] * 3 + ["human"] + ["agent"] * (len(steps) - 5)
    assert not any(isinstance(step.action, Noop) for step in steps), "it looks for nothing that it has done"
