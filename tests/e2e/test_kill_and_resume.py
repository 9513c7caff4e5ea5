"""`kill -9` in the middle of an episode of 20 steps: every completed step is kept, and it goes on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.core.engine.processes import descendants
from tests.tui.cli.program import PROGRAM, call, environment
from webbench.core.store.store import Store

NO_EFFECT = "click [99999]"
BEFORE = (
    "click [button 'Only necessary']",
    "scroll [down]",
    "scroll [up]",
    "type [searchbox 'Search the shop'] [camp mug] [1]",
    NO_EFFECT,
    "click [link 'Ember Camp Mug']",
    "go_back",
    "go_forward",
    "check [radio 'Rust']",
    "check [radio 'Cream']",
    "type [spinbutton 'Quantity'] [2] [0]",
)
AFTER = (
    "type [spinbutton 'Quantity'] [3] [0]",
    "scroll [down]",
    "scroll [up]",
    "click [button 'Add to cart']",
    "click [link 'View cart']",
    "scroll [down]",
    "scroll [up]",
    "go_back",
    "stop []",
)


class Talk:
    """`step --json` by lines: an action in, an answer out."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.answer: dict[str, Any] = self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"the program ended with {self.process.wait()}"
        found: dict[str, Any] = json.loads(line)
        return found

    def send(self, action: str) -> None:
        """Send an action, its element named as the page shows it."""
        assert self.process.stdin
        named = re.search(r"\[(\w+ '.*?)\]", action)
        if named:
            shown = re.search(rf"\[(\d+)\] {re.escape(named[1])}", self.answer["observation"])
            assert shown, (action, self.answer["observation"])
            action = action.replace(named[1], shown[1])
        self.process.stdin.write(f"{action}\n".encode())
        self.process.stdin.flush()

    def do(self, actions: Sequence[str]) -> None:
        for action in actions:
            self.send(action)
            self.answer = self._read()
            assert self.answer["ok"] == (action != NO_EFFECT), (action, self.answer["error"])


@contextmanager
def talk(home: Path, *arguments: str) -> Iterator[Talk]:
    process = subprocess.Popen(
        [*PROGRAM, "step", *arguments, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=home,
        env=environment(home),
        start_new_session=True,
    )
    try:
        yield Talk(process)
    finally:
        kill_group(process)
        for pipe in (process.stdin, process.stdout):
            assert pipe
            pipe.close()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def page(answer: dict[str, Any]) -> str:
    """The address without host and episode, which differ in every life of the shop."""
    return str(answer["url"]).partition("/shop/")[2]


@pytest.mark.browser
@pytest.mark.timeout(180)
def test_an_episode_of_20_steps_killed_in_the_middle_is_gone_on_with(tmp_path: Path) -> None:
    assert len(BEFORE) + len(AFTER) == 20
    with talk(tmp_path, "demo", "camp-mugs") as first:
        first.do(BEFORE)
        told = first.answer
        first.send(AFTER[0])
        kill_group(first.process)

    shown = call(tmp_path, "show", told["episode"], "--json").json["trajectory"]
    completed = shown["steps"][: told["step"] + 1]
    assert [step["index"] for step in completed] == list(range(len(BEFORE) + 1))
    assert [step["text"].split()[0] for step in completed[1:]] == [text.split()[0] for text in BEFORE]
    assert not shown["header"].get("ended")
    assert completed[-1]["url"] == told["url"]

    with talk(tmp_path, "--resume", told["episode"]) as second:
        begun = second.answer
        assert begun["replayed"] == {
            "episode": told["episode"],
            "steps": len(shown["steps"]) - 2,
            "failed": 1,
            "unreached": 0,
            "ending": "",
        }
        assert (begun["error"], page(begun)) == ("", page(told))
        second.do(AFTER)
        assert second.process.stdout
        last = json.loads(second.process.stdout.readline())
        assert last["final"]
        assert (last["score"]["status"], last["score"]["value"]) == ("scored", 1.0)
        assert second.process.wait(30) == 0


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a Linux process table")
@pytest.mark.thorough
def test_a_renderer_that_is_killed_costs_no_score(tmp_path: Path) -> None:
    """It was scored 0.0, "the actor stopped", and counted in the mean."""
    store = tmp_path / "store"
    arguments = ("run", "demo", "--task", "camp-mugs", "--agent", "oracle", "--json", "--store", str(store))
    running = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=tmp_path,
    )
    killed = 0
    while not killed and running.poll() is None:
        begun = any(steps.read_bytes().count(b"\n") >= 2 for steps in store.glob("*/*/steps.jsonl"))
        killed = sum(map(_kill_renderer, descendants(running.pid))) if begun else 0
        time.sleep(0.005)
    out, told = running.communicate(timeout=120)
    report = json.loads(out)
    [episode] = report["episodes"]
    assert killed
    assert (running.returncode, report["mean_score"], report["replaced"]) == (0, 1.0, 1), told.decode()
    assert (episode["status"], episode["score"], episode["attempts"]) == ("scored", 1.0, 2)
    assert b"the page was lost: http" in told
    assert b"it is not scored, and is played again" in told
    first = min(Store(store).episodes(), key=lambda one: one.attempt)
    assert (first.status, first.value) == ("not_scored", None)
    assert call(tmp_path, "score", "--suspect", "--store", str(store)).code == 0


def _kill_renderer(pid: int) -> bool:
    try:
        if b"--type=renderer" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return False
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True
