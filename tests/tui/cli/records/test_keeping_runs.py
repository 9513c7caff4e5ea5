"""Runs are named, tagged, noted, archived and deleted by commands, and nothing recorded is lost by it."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cli.program import Here
from tests.tui.recorded_page import TASK
from tests.tui.screens.runs.test_runs import record
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.store import Store


def test_a_run_is_named_tagged_archived_deleted_and_restored_as_it_was(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run, other = record(store, "first", 2), record(store, "second", 2)
    before = {path: path.read_bytes() for path in (store.root / run).rglob("*") if path.is_file()}
    at = ("--store", str(store.root))
    assert here(tmp_path, "runs", "rename", run, "The pilot", *at).code == 0
    assert here(tmp_path, "runs", "tag", "pilot", "the pilot", other, *at).code == 0
    assert here(tmp_path, "runs", "tag", "pilot", other, "--remove", *at).code == 0
    assert here(tmp_path, "runs", "note", "The pilot", "before the \x1b[31mfix", *at).code == 0
    (told,) = here(tmp_path, "runs", "--tag", "PILOT", "--json", *at).json["runs"]
    assert (told["run"], told["name"], told["tags"]) == (run, "The pilot", ["pilot"])
    found = here(tmp_path, "runs", "tag:pilot run:the", "--json", *at).json["episodes"]
    assert {one["run"] for one in found} == {run}

    assert here(tmp_path, "runs", "archive", run, *at).code == 0
    listed = here(tmp_path, "runs", *at)
    assert run not in listed.out
    assert "1 archived run left out" in listed.err
    assert run in here(tmp_path, "runs", "--archived", *at).out

    assert here(tmp_path, "runs", "rm", "The pilot", *at).code == 0
    assert [one.run for one in Store(store.root).runs()] == [other]
    (binned,) = here(tmp_path, "runs", "bin", "--json", *at).json["runs"]
    assert (binned["run"], binned["name"], binned["episodes"]) == (run, "The pilot", 2)
    assert here(tmp_path, "runs", "bin", "--empty", *at).code == 2, "nobody is there to be asked"
    assert here(tmp_path, "runs", "restore", "The pilot", *at).code == 0
    assert {path: path.read_bytes() for path in before} == before
    assert {one.run for one in Store(store.root).runs()} == {run, other}

    assert here(tmp_path, "runs", "rm", run, *at).code == 0
    assert here(tmp_path, "runs", "bin", "--empty", "--yes", *at).code == 0
    assert not (store.root / "bin" / run).exists()
    assert here(tmp_path, "runs", "restore", run, *at).code == 2


def test_what_is_recorded_now_is_not_deleted_nor_is_a_run_that_is_unknown(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run = record(store, "first", 1)
    header = next((store.root / run).glob(f"*/{HEADER}")).parent
    episode = store.load(header).header
    recorder = store.recorder(run, episode)
    at = ("--store", str(store.root))
    assert "is being recorded" in here(tmp_path, "runs", "rm", run, *at).err
    recorder.close()
    assert here(tmp_path, "runs", "rm", "other", *at).code == 2
    assert here(tmp_path, "runs", "tag", "two words", run, *at).code == 2
    assert [one.run for one in Store(store.root).runs()] == [run]


def test_runs_of_one_agent_are_pooled_and_their_tasks_are_repeats(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    runs = [record(store, "first", 3) for _ in range(2)]
    other = record(store, "second", 3)
    at = ("--store", str(store.root))
    assert "first at demo and second" in here(tmp_path, "runs", "pool", "both", runs[0], other, *at).err
    assert here(tmp_path, "runs", "pool", "both", *runs, *at).code == 0
    assert here(tmp_path, "runs", "pool", "--json", *at).json["pools"] == {"both": runs}
    told = here(tmp_path, "stats", "@both", other, "--json", *at).json["analysis"]
    assert [one["run"] for one in told["actors"]] == ["@both", other]
    assert f"@both counts 2 runs ({runs[0]}, {runs[1]}) as one actor" in " ".join(told["methods"])
    again = here(tmp_path, "stats", "@both", "--section", "repeats", *at)
    assert again.code == 0, "a task of both runs was attempted several times"
    assert "would count twice" in here(tmp_path, "stats", "@both", runs[0], *at).err
    assert "no episode of no-such" in here(tmp_path, "stats", "@both", "--task", "no-such", *at).err
    assert here(tmp_path, "stats", "@both", "--task", TASK.name, *at).code == 0
    assert here(tmp_path, "runs", "pool", "both", "--remove", *at).code == 0
    assert "no pool @both" in here(tmp_path, "stats", "@both", *at).err
