"""A live score is not thrown away: Escape and Enter, quitting, going on with what was kept."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.terminal.pty_program import PtyProgram
from tests.tui.cli.program import call, environment

PROGRAM = [sys.executable, "-m", "webbench.tui"]


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.timeout(180)
def test_an_episode_is_kept_listed_gone_on_with_and_handed_in(tmp_path: Path) -> None:
    argv = [*PROGRAM, "step", "demo", "open-product"]
    with PtyProgram(argv, environment=environment(tmp_path)) as program:
        program.wait_to_show("step 0", 60)
        program.send("bscroll [down]\r")
        program.wait_to_show("step 1 of")
        program.send("4odd quit\r")
        program.wait_to_show("odd quit")  # typed ahead: not a letter of it is a command
        program.send("\x1b")
        program.wait_to_show("goes to the field")
        program.send("\x1b")
        program.wait_to_show("Stay here")
        program.send("\r")
        program.wait_to_show("Stay here", gone=True)
        program.wait_to_show("step 1 of")  # Escape and Enter change nothing
        program.send("\x1b")
        program.wait_to_show("Keep it and leave")
        program.send("3\r")
        program.wait_to_show("1 unfinished episode")
        program.wait_to_show("1 of 40 actions")
        program.send("q")
        program.wait_to_show("Quit, while this is not at its end?")
        program.send("\r")
        program.wait_to_show("Quit, while", gone=True)
        program.send("c")
        program.wait_to_show("1 action repeated", 60)
        program.send("bscroll [up]\r")
        program.wait_to_show("step 2 of")
        program.send("\x11")  # Ctrl+Q: the program ends in the middle of it
        while not program.ended:
            program.read(0.2)
        left = bytes(program.output).decode(errors="replace")
    assert re.search(r"step --resume \S+", left), "how to go on is told"

    listed = call(tmp_path, "runs", "--unfinished", "--json")
    assert listed.code == 0
    (one,) = listed.json["episodes"]
    assert (one["task"], one["actions"]) == ("open-product", 2)

    with PtyProgram(PROGRAM, environment=environment(tmp_path)) as program:
        program.wait_to_show("1 unfinished episode", 60)
        program.send("c")
        program.wait_to_show("2 actions repeated", 60)
        program.send("\x1b")
        program.wait_to_show("Hand in and leave")
        program.send("2\r")
        program.wait_to_show("Episode ended", 60)
        program.wait_to_show("unfinished episode", gone=True)
    found = call(tmp_path, "runs", "status:scored", "--json").json["episodes"]
    assert [one["task"] for one in found] == ["open-product"]
    assert call(tmp_path, "runs", "--unfinished", "--json").json["episodes"] == []
