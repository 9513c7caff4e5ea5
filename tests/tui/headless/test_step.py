"""`step` without a screen: lines in, answers out; an episode that was killed is resumed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.tui.headless.program import PROGRAM, call, environment

FIELDS = {"schema_version", "run", "episode", "task", "intent", "step", "action", "ok", "error", "url"}
FIELDS |= {"observation", "score", "ended", "final", "output", "condition"}


def test_json_lines(tmp_path: Path) -> None:
    lines = "frobnicate [1]\nclick [99999]\n\nstop [42]\nclick [1]\n"
    done = call(tmp_path, "step", "demo", "price-of-lantern", "--json", stdin=lines)
    assert done.code == 0, done.err
    start, refused, failed, stopped, last = done.json_lines
    assert all(answer.keys() >= FIELDS for answer in done.json_lines)
    assert (start["step"], start["action"], start["ok"]) == (0, "", True)
    assert "RootWebArea" in start["observation"]
    assert (refused["step"], refused["action"], refused["ok"]) == (0, "frobnicate [1]", False)
    assert "nearest form" in refused["error"]
    assert (failed["step"], failed["ok"]) == (1, False)
    assert "99999" in failed["error"]
    assert stopped["ended"]
    assert last["final"]
    assert last["score"]["status"] == "scored"
    assert last["score"]["value"] == 0.0


def test_plain_answers_to_bytes_that_are_no_text(tmp_path: Path) -> None:
    done = call(tmp_path, "step", "demo", "price-of-lantern", stdin=b"\xff\xfe\x1b[2J\nstop [1]")
    assert done.code == 0, done.err
    assert done.out.startswith("task: demo price-of-lantern\nintent: ")
    assert "\x1b" not in done.out + done.err
    assert re.search(r"^! ", done.out, re.MULTILINE)
    assert re.search(r"^ended: the actor stopped$", done.out, re.MULTILINE)


def test_agent_steps_to_the_end(tmp_path: Path) -> None:
    done = call(tmp_path, "step", "demo", "price-of-lantern", "--agent", "oracle", "--json")
    assert done.code == 0, done.err
    assert done.json_lines[-1]["score"]["value"] == 1.0
    assert [answer["step"] for answer in done.json_lines[:-1]] == list(range(len(done.json_lines) - 1))


@pytest.mark.timeout(120)
def test_killed_episode_is_resumed(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "step", "demo", "camp-mugs", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    assert process.stdin
    assert process.stdout
    answer = json.loads(process.stdout.readline())
    box = re.search(r"\[(\d+)\] searchbox", answer["observation"])
    assert box
    for action in (f"type [{box[1]}] [camp mug] [1]", "scroll [down]"):
        process.stdin.write(f"{action}\n".encode())
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["ok"], answer["error"]
    process.kill()
    process.wait()
    shown = call(tmp_path, "show", answer["episode"], "--json").json["trajectory"]
    assert [step["index"] for step in shown["steps"]] == [0, 1, 2]
    assert not shown["header"].get("end_reason")

    resumed = call(tmp_path, "step", "--resume", answer["episode"], "--json", stdin="stop [done]\n")
    first, second, last = resumed.json_lines
    assert first["step"] == 2
    assert "camp+mug" in first["url"]
    assert (second["step"], last["ended"]) == (3, "the actor stopped")
    again = call(tmp_path, "show", last["episode"], "--json").json["trajectory"]
    assert again["header"]["resumed_from"] == answer["episode"]
    assert len(again["steps"]) == 4
