"""`run`, `runs`, `show` and `score` on episodes really played; what an interrupted run leaves."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.core.engine.processes import alive, descendants
from tests.shared import need_shared
from tests.terminal.pty_program import PtyProgram
from tests.tui.cli.program import PROGRAM, Done, Here, call, environment

TASKS = ("open-product", "price-of-lantern", "camp-mugs")
NAMES = [word for task in TASKS for word in ("--task", task)]
SHORT = TASKS[:2]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def played(home: Path) -> Done:
    """Three episodes of the oracle by two workers."""
    options = ("--agent", "oracle", "--workers", "2", "--json")
    return call(home, "run", "demo", *NAMES, *options, WEBBENCH_VIEWPORT_HEIGHT="700")


def test_run_json(played: Done) -> None:
    assert played.code == 0, played.err
    assert played.err == "", "no progress bar without a terminal"
    report = played.json
    assert report["schema_version"] == 1
    assert (report["planned"], report["scored"], report["not_scored"]) == (3, 3, {})
    assert report["mean_score"] == 1.0
    assert [episode["task"] for episode in report["episodes"]] == list(TASKS)
    for episode in report["episodes"]:
        assert {"task", "instance", "status", "score", "steps", "seconds"} <= episode.keys()
        assert episode["status"] == "scored"
        assert episode["score"] == 1.0
        assert episode["steps"] > 1
        assert episode["seconds"] > 0


def test_runs_and_show_find_the_run_again(home: Path, played: Done, here: Here) -> None:
    run = played.json["run"]
    document = here(home, "runs", "--json").json
    assert document["schema_version"] == 1
    listed = next(one for one in document["runs"] if one["run"] == run)
    assert (listed["benchmark"], listed["agent"]) == ("demo", "oracle")
    assert (listed["planned"], listed["scored"], listed["mean_score"]) == (3, 3, 1.0)
    assert listed["started"] > "2020"
    shown = here(home, "show", run, "--json").json
    assert [episode["task"] for episode in shown["episodes"]] == list(TASKS)
    table = here(home, "show", run)
    assert table.code == 0
    assert all(episode["episode"] in table.out for episode in played.json["episodes"])
    assert run in here(home, "runs").out


def test_show_and_score_an_episode(home: Path, played: Done, here: Here) -> None:
    name = played.json["episodes"][2]["episode"]
    shown = here(home, "show", name)
    assert shown.code == 0
    assert "ended: the actor stopped" in shown.out
    assert "1.000 (one check)" in shown.out
    trajectory = here(home, "show", name, "--json").json["trajectory"]
    assert trajectory["steps"][-1]["index"] == played.json["episodes"][2]["steps"]
    scored = here(home, "score", name, "--json")
    assert scored.code == 0
    assert scored.json["score"] == scored.json["recorded"]
    assert scored.json["step"] == trajectory["steps"][-1]["index"]
    told = here(home, "score", name).out.splitlines()
    assert told[0] == "recorded, rules published: 1.000 (one check)"
    assert told[1] == f"step {scored.json['step']}, rules published:"
    table = here(home, "score", name, "--table", "--rules", "both", COLUMNS="120")
    assert table.code == 0
    assert "expected" in table.out
    assert "score, published" in table.out
    assert here(home, "score", name, "--rules", "paper").code == 2
    nearly = here(home, "show", name[:-1] + "0")
    assert nearly.code == 2
    assert f"did you mean {name}" in nearly.err


def test_pages_have_the_size_of_the_settings(home: Path, played: Done, here: Here) -> None:
    name = played.json["episodes"][2]["episode"]
    step = here(home, "show", name, "--json").json["trajectory"]["steps"][1]
    (kept,) = home.glob(f"data/**/blobs/**/{step['screenshot']}*")
    with Image.open(kept) as picture:
        assert picture.size == (1280, 700)


def test_replay_of_an_episode_by_its_name(home: Path, played: Done, here: Here) -> None:
    name = played.json["episodes"][0]["episode"]
    done = here(home, "run", "demo", "--task", "open-product", "--agent", f"replay {name}", "--json")
    assert done.json["mean_score"] == 1.0


def test_reader_that_leaves_is_no_error(home: Path, played: Done) -> None:
    name = played.json["episodes"][2]["episode"]
    command = [*PROGRAM, "show", name, "--json"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home, env=environment(home)
    )
    assert process.stdout
    assert process.stdout.readline() == b"{\n"
    process.stdout.close()
    _, errors = process.communicate(timeout=60)
    assert errors == b""
    assert process.returncode in (0, 141)


def test_real_task_under_both_rules(home: Path, here: Here) -> None:
    data = str(need_shared("data", "turkingbench"))
    words = ["run", "turkingbench", "--data", data, "--task", "Formalize sentence", "--instances", "1"]
    done = here(home, *words, "--rules", "paper", "--json")
    assert done.code == 0, done.err
    report = done.json
    assert report["rules"] == "paper"
    assert report["episodes"][0]["instance"] == 0
    assert report["mean_score"] == 1.0
    name = report["episodes"][0]["episode"]
    for rules in ("published", "paper"):
        again = here(home, "score", name, "--rules", rules, "--json").json
        assert again["rules"] == rules
        assert again["score"]["value"] == 1.0


def test_agent_that_breaks_its_protocol_is_not_scored(home: Path, here: Here) -> None:
    done = here(home, "run", "demo", "--task", "camp-mugs", "--agent", "command false", "--json")
    assert done.code == 1
    report = done.json
    assert (report["scored"], report["mean_score"]) == (0, None)
    assert sum(report["not_scored"].values()) == 1
    assert report["episodes"][0]["score"] is None
    (reason,) = report["not_scored"]
    name = report["episodes"][0]["episode"]
    scored = here(home, "score", name, "--json")
    assert scored.code == 1
    assert (scored.json["score"], scored.json["step"]) == (None, None)
    assert (scored.json["recorded"]["status"], scored.json["recorded"]["reason"]) == ("not_scored", reason)
    assert "--anyway" in here(home, "score", name).err


def started(home: Path, store: Path, tasks: Sequence[str] = TASKS, workers: int = 2) -> PtyProgram:
    """A run in a terminal, after its first episode was scored."""
    names = [word for task in tasks for word in ("--task", task)]
    program = PtyProgram(
        [*PROGRAM, "run", "demo", *names, "--workers", str(workers), "--store", str(store)],
        columns=80,
        environment=environment(home),
    )
    program.wait_for(f" 1/{len(tasks)}".encode(), 90)
    return program


def test_interrupted_run_ends_in_order_and_is_resumed(home: Path, tmp_path: Path, here: Here) -> None:
    with started(home, tmp_path, SHORT, workers=1) as program:
        children = descendants(program.pid)
        os.kill(program.pid, signal.SIGINT)
        program.wait_for(b"interrupted: ", 60)
        ending = os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        assert ending is not None
        assert ending.si_status == 130
    assert b"Traceback" not in program.output
    status = assert_partly_recorded(home, tmp_path, children, here, SHORT)
    assert (status["state"], status["running"]) == ("interrupted", [])
    shown = here(home, "show", status["run"], "--store", str(tmp_path), "--json").json
    assert {episode["state"] for episode in shown["episodes"]} == {"ended"}
    assert_resumed(home, tmp_path, status, here, SHORT)


DEAF_AGENT = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


@pytest.mark.thorough
def test_a_second_interruption_leaves_at_once_and_nothing_behind(home: Path, tmp_path: Path) -> None:
    agent = shlex.join(["command", sys.executable, "-c", DEAF_AGENT])
    words = ["run", "demo", *NAMES, "--agent", agent, "--store", str(tmp_path)]
    with PtyProgram([*PROGRAM, *words], columns=80, environment=environment(home)) as program:
        while not any(DEAF_AGENT.encode() in command_of(pid) for pid in descendants(program.pid)):
            time.sleep(0.1)
        children = descendants(program.pid)
        os.kill(program.pid, signal.SIGINT)
        program.wait_for(b"again leaves at once", 60)
        os.kill(program.pid, signal.SIGINT)
        ending = os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        assert ending is not None
        assert ending.si_status == 130
        program.settle()
    assert b"interrupted: " not in program.output, "the episode was ended in order"
    assert_ended(children)


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.thorough
def test_killed_run_is_resumed(home: Path, tmp_path: Path, here: Here) -> None:
    with started(home, tmp_path) as program:
        children = descendants(program.pid)
        os.kill(program.pid, signal.SIGKILL)
    status = assert_partly_recorded(home, tmp_path, children, here)
    assert status["state"] == "died"
    listed = here(home, "runs", "--store", str(tmp_path), "--json").json
    assert listed["unfinished"] == {status["run"]: "died"}
    assert "died, " in here(home, "runs", "--store", str(tmp_path)).out
    assert_resumed(home, tmp_path, status, here)


def assert_partly_recorded(
    home: Path, store: Path, children: set[int], here: Here, tasks: Sequence[str] = TASKS
) -> Any:
    """Gives the status of the run."""
    assert_ended(children)
    status = here(home, "status", "--store", str(store), "--json").json
    assert status["planned"] == len(tasks)
    assert status["scored"] >= 1
    assert status["waiting"] == len(tasks) - status["scored"]
    return status


def assert_ended(children: set[int]) -> None:
    end = time.monotonic() + 20
    while any(alive(pid) for pid in children) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [pid for pid in children if alive(pid)]


def assert_resumed(home: Path, store: Path, before: Any, here: Here, tasks: Sequence[str] = TASKS) -> None:
    """It goes on with what was left, and keeps what was there."""
    words = ("run", "--resume", before["run"], "--store", str(store), "--json")
    assert here(home, *words, "--seed", "3").code == 2, "the plan says which seed"
    done = here(home, *words)
    assert done.code == 0, done.err
    report = done.json
    assert (report["run"], report["state"], report["left"]) == (before["run"], "finished", 0)
    assert [episode["task"] for episode in report["episodes"]] == list(tasks)
    assert [episode["attempts"] for episode in report["episodes"]].count(1) >= before["scored"]
    assert report["replaced"] == sum(episode["attempts"] - 1 for episode in report["episodes"])
