"""A session in a terminal, killed in the middle of a task, goes on where it was; then its results."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.terminal.pty_program import PtyProgram
from tests.tui.cli.program import call, environment

STUDY = """
name = "pilot"
benchmark = "demo"
annotators = ["ada"]
tasks = ["price-of-lantern"]
"""


@contextmanager
def session(home: Path) -> Iterator[PtyProgram]:
    argv = [sys.executable, "-m", "webbench.tui", "baseline", str(home / "study.toml"), "--as", "ada"]
    with PtyProgram(argv, environment=environment(home)) as program:
        yield program


def begin(program: PtyProgram) -> None:
    program.wait_to_show("task 1")
    program.send("\r")
    program.wait_to_show("step 0", 60)


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.timeout(180)
def test_a_killed_session_goes_on_and_its_result_is_told(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    with session(tmp_path) as first:
        begin(first)
        first.wait_to_show("How much does the Fyr Storm Lantern cost?")
        first.send("\x1b")
        first.wait_to_show("Esc closes", gone=True)
        first.send("bscroll [down]\r")
        first.wait_to_show("step 1", 30)
        with contextlib.suppress(ProcessLookupError):
            os.kill(first.pid, signal.SIGKILL)

    status = call(tmp_path, "baseline", "study.toml", "--as", "ada", "--json")
    assert status.code == 1
    assert [work["stage"] for work in status.json["works"]] == ["open"]

    with session(tmp_path) as again:
        begin(again)
        again.wait_to_show("1 action repeated", 60)
        again.send("bstop [68]\r")
        again.wait_to_show("End the task with the answer")
        again.send("1")
        again.wait_to_show("how difficult was it?", 30)
        again.send("\r25odd price\r")
        again.wait_to_show("is this what you mean?")
        again.wait_to_show("2, easy")
        again.wait_to_show("5, certain")
        again.send("\r")
        again.wait_to_show("All your tasks are done")

    told = call(tmp_path, "baseline", "study.toml", "--results", "--json")
    assert told.code == 0, told.err
    attempt = told.json["attempts"][0]
    assert (attempt["who"], attempt["score"], attempt["steps"]) == ("ada", 1.0, 2)
    assert (attempt["outcome"], attempt["difficulty"], attempt["confidence"]) == ("submitted", 2, 5)
    assert told.json["results"]["groups"]["category"][0]["group"] == "information seeking"
