"""A run in a process of its own: it begins, is ended, goes on; and one that can't begin says why."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.tui.cli.program import Here, call


def test_a_dry_run_tells_the_plan_and_writes_nothing(tmp_path: Path, here: Here) -> None:
    words = ("run", "demo", "--task", "camp-mugs", "--repeat", "3", "--workers", "2", "--dry-run")
    plain = here(tmp_path, *words)
    assert plain.code == 0
    assert plain.out.splitlines() == [
        "1 task, 3 times each = 3 episodes of demo by oracle",
        "at most 40 steps an episode · no limit of the run's cost",
        "2 at a time · seed 0 · rules published · a picture of every step",
        "webbench-tui run demo --agent oracle --task camp-mugs --repeat 3 --workers 2",
    ]
    told = here(tmp_path, *words, "--json").json
    assert (told["tasks"], told["episodes"], told["schema_version"]) == (1, 3, 1)
    assert not Path(told["store"]).exists()


def test_the_nodes_of_a_cluster_may_have_keys_of_their_own(tmp_path: Path, here: Here) -> None:
    done = here(
        tmp_path, "run", "demo", "--agent", "model model=m", "--engine", "ray", "--dry-run", OPENAI_API_KEY=""
    )
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("demo", "--task", "nope"), 2, 'no task "nope" in demo'),
        (("demo", "--agent", "webarena-direct"), 2, "No model is set"),
        (("demo", "--agent", "model model=m"), 2, "api.openai.com answers nobody without a key"),
        (("turkingbench", "--data", "/nowhere"), 4, "turkingbench"),
        (("--resume", "a-run"), 2, "--dry-run is for new runs"),
    ],
)
def test_a_dry_run_tells_what_keeps_a_run_from_beginning(
    tmp_path: Path, here: Here, words: tuple[str, ...], code: int, told: str
) -> None:
    done = here(tmp_path, "run", *words, "--dry-run", OPENAI_API_KEY="")
    assert (done.code, done.out) == (code, "")
    assert told in done.err


def test_a_run_that_cannot_begin_is_told_in_its_own_words_and_leaves_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = call(tmp_path, "run", "demo", "--task", "nope", "--detach", "--store", str(store))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith('webbench-tui: no task "nope" in demo\n  there are ')
    assert [path.name for path in store.rglob("*") if path.is_file()] == []


@pytest.mark.thorough
def test_a_run_is_begun_ended_and_gone_on_with(tmp_path: Path) -> None:
    begun = call(tmp_path, "run", "demo", "--workers", "2", "--detach", "--json").json
    run = begun["run"]
    assert Path(begun["output"]).parent.parent.name == run
    stopped = call(tmp_path, "stop", "--json")
    assert stopped.code == 0
    told = stopped.json
    assert (told["run"], told["pid"], told["told"], told["left"]) == (run, begun["pid"], True, True)
    assert (told["state"], told["waiting"] > 0) == ("interrupted", True)
    until = time.monotonic() + 30
    while (
        "left" not in Path(begun["output"]).read_text()
    ):  # its last words come when it has let go of the run
        assert time.monotonic() < until
        time.sleep(0.05)
    words = ("run", "--resume", run, "--detach")
    again = call(tmp_path, *words)
    assert again.code == 0, again.err
    taken = call(tmp_path, *words)
    assert taken.code == 3
    assert f"works at the run {run}" in taken.err
    plain = call(tmp_path, "stop", run)
    assert plain.code == 0
    assert "has left; interrupted" in plain.out
    assert f"`webbench-tui run --resume {run}` goes on" in plain.out
    assert len(list(Path(begun["output"]).parent.glob("output_*.txt"))) == 2
