"""What a program that is an agent can get at: its variables, and the reference answers on the disk."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import PROGRAM, call, environment
from webbench.core.agents.command import isolation as surroundings
from webbench.core.agents.command.command import read_command
from webbench.core.errors import UsageError
from webbench.core.score.score import Status
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.store import Store

THIEF = r"""
import json, os, pathlib, re, sys
store, report, gold = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
found = {"variables": dict(os.environ), "answers": [], "files": 0, "others": 0}

def look():
    for path in store.rglob("*"):
        if path.is_file():
            found["files"] += 1
            if gold.encode() in path.read_bytes():
                found["answers"].append(str(path))
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            found["others"] += b"thief-of-keys" in (process / "environ").read_bytes()
        except OSError:
            pass
    report.write_text(json.dumps(found))

for turn, line in enumerate(sys.stdin):
    if '"observation"' in line:
        look()
        print(json.dumps({"action": "scroll [down]" if turn < 3 else "stop [nothing]"}), flush=True)
"""
SECRETS = {
    "WEBBENCH_JUDGE_KEY": "thief-of-keys",
    "WEBBENCH_MODEL_KEY": "thief-of-keys",
    "OPENAI_API_KEY": "thief-of-keys",
    "HTTPS_PROXY": "http://me:thief-of-keys@127.0.0.1:9",
    "NO_PROXY": "localhost,127.0.0.1",
    "MINE": "for the agent",
}
# Bubblewrap is Linux' alone, and some containers forbid what it needs; the reason says which.
needs_isolation = pytest.mark.skipif(
    bool(surroundings.cannot_isolate()), reason=surroundings.cannot_isolate() or "it can be isolated"
)
GOLD = '"expected"'
"""In every task's reference answers and every check's: the thief looks for the words that name them."""


def robbed(home: Path, flags: str, *command: str) -> tuple[dict[str, Any], Store]:
    """What a program found that looked for answers at each step of an episode with live scores."""
    home.mkdir(exist_ok=True)
    script, store = home / "thief.py", home / "store"
    script.write_text(THIEF)
    program = shlex.join([sys.executable, str(script), str(store), str(home / "report.json"), GOLD])
    begin = command or ("run", "demo", "--task", "camp-mugs")
    words = (*begin, "--agent", f"command {flags} {program}")
    done = call(home, *words, "--store", str(store), "--json", **SECRETS)
    assert done.code in (0, 1), done.err
    (header,) = store.rglob(HEADER)
    assert GOLD in header.read_text(), "they are in the record once the episode has ended"
    return json.loads((home / "report.json").read_text()), Store(store)


def test_a_program_finds_no_answers_in_the_store_and_no_keys_in_its_variables(tmp_path: Path) -> None:
    found, store = robbed(tmp_path, "--env MINE", "step", "demo", "camp-mugs")
    assert found["answers"] == []
    assert found["files"] > 3, "it can read the store"
    variables = found["variables"]
    assert isinstance(variables, dict)
    assert "thief-of-keys" not in str(variables)
    assert variables["MINE"] == "for the agent"
    assert {"PATH", "HOME", "NO_PROXY"} <= set(variables)
    (one,) = store.episodes()
    assert one.agent_reach == surroundings.NOT_ISOLATED
    ended = store.load(store.find(one.episode))
    assert ended.header.task.gold
    assert not ended.header.gold_withheld
    assert len(ended.header.step_scores) == len(ended.steps) == 4
    assert all(step.score is not None and step.score.checks for step in ended.steps), "none is lost"
    assert (
        surroundings.NOT_ISOLATED.split(":")[0]
        in call(tmp_path, "show", one.episode, "--store", str(store.root)).out
    )
    listed = call(tmp_path, "runs", "actor:command", "--store", str(store.root), "--json").json
    assert [row["agent_reach"] for row in listed["episodes"]] == [surroundings.NOT_ISOLATED]
    assert store.root.stat().st_mode & 0o777 == 0o700, "what is recorded is for its owner alone"
    records = list(store.root.rglob(HEADER)) + list(store.root.rglob("steps.jsonl"))
    assert records
    assert {path.stat().st_mode & 0o777 for path in records} == {0o600}


@pytest.mark.thorough
def test_what_was_interrupted_is_scored_with_answers_from_the_benchmark(tmp_path: Path) -> None:
    """A killed process takes no answer along: they were never written."""
    waits = "import sys, time; [time.sleep(600) for line in sys.stdin if 'observation' in line]"
    spec = f"command {shlex.join([sys.executable, '-c', waits])}"
    store = tmp_path / "store"
    playing = subprocess.Popen(
        [*PROGRAM, "step", "demo", "camp-mugs", "--agent", spec, "--store", str(store)],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while not any(path.read_bytes() for path in store.rglob("steps.jsonl")):
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        playing.kill()
        playing.wait()
    (one,) = Store(store).episodes()
    header = Store(store).load(Store(store).find(one.episode)).header
    assert (header.gold_withheld, header.task.gold) == (True, {})
    done = call(tmp_path, "score", one.episode, "--anyway", "--store", str(store), "--json")
    assert done.json["score"]["status"] == "scored", done.err
    assert done.json["score"]["checks"]
    line = call(tmp_path, "step", "--resume", one.episode, "--store", str(store), stdin="stop [x]\n")
    assert "0.000" in line.out, line.err


@needs_isolation
def test_an_isolated_program_sees_neither_the_store_nor_other_processes(tmp_path: Path) -> None:
    found, store = robbed(tmp_path, "--isolate")
    assert (found["answers"], found["files"], found["others"]) == ([], 0, 0)
    (one,) = store.episodes()
    assert (one.agent_reach, one.status) == (surroundings.ISOLATED, Status.SCORED)


@needs_isolation
def test_an_isolated_program_finds_no_bundled_tasks_and_writes_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webbench.benchmarks import demo

    package = Path(next(iter(demo.__path__))).resolve()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    look = f"ls {package} | wc -l; touch {tmp_path}/there 2>&1; touch mine; echo $TMPDIR; touch $TMPDIR/x"
    words = surroundings.isolated(["sh", "-c", f"{look} && ls /proc"], surroundings.with_answers(None, None))
    lines = os.popen(shlex.join(words)).read().splitlines()
    assert lines[0] == "0"
    assert "Read-only" in lines[1]
    assert lines[2] == "/dev/shm"
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    assert (tmp_path / "here" / "mine").exists()
    assert len([line for line in lines if line.isdecimal()]) < 8


@needs_isolation
def test_an_isolated_program_is_not_begun_in_a_folder_that_is_hidden_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "data" / "mine")
    with pytest.raises(UsageError, match=r"data/mine would be hidden from .*/data may hold"):
        surroundings.isolated(["true"], [tmp_path / "data"])


def test_where_nothing_can_be_isolated_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    surroundings.cannot_isolate.cache_clear()
    with pytest.raises(UsageError, match="there is no bwrap on the path"):
        read_command(["--isolate", sys.executable])
    surroundings.cannot_isolate.cache_clear()
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2; exit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    with pytest.raises(UsageError, match="not allowed here: No permissions"):
        read_command(["--isolate", sys.executable])
    surroundings.cannot_isolate.cache_clear()


def test_that_a_network_of_its_own_is_refused_is_found_by_its_own_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As containers do that let a program be isolated all the same."""
    refuses = 'case "$*" in *--unshare-net*) echo "loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac'
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{refuses}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for trial in (surroundings.cannot_isolate, surroundings.cannot_confine):
        trial.cache_clear()
    try:
        assert surroundings.cannot_isolate() == surroundings.cannot_confine(network=True) == ""
        assert "not allowed here: loopback" in surroundings.cannot_confine(network=False)
    finally:
        for trial in (surroundings.cannot_isolate, surroundings.cannot_confine):
            trial.cache_clear()


def test_a_setting_names_further_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"A": "1", "B": "2", "LC_TIME": "C", "PYTHONPATH": f"/lib-of-mine{os.pathsep}{os.pathsep}near"}
    assert surroundings.environment((), given) == {"LC_TIME": "C", "PYTHONPATH": "/lib-of-mine"}
    assert surroundings.environment(("B", "GONE"), given)["B"] == "2"
    monkeypatch.setenv("WEBBENCH_AGENT_ENV", "A\nB")
    from webbench.core.settings.load_settings import load_settings

    assert load_settings().agent_env == ("A", "B")
