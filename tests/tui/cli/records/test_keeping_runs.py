"""Runs are named, tagged, noted, archived and deleted by commands, and nothing recorded is lost by it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.tui.cli.program import Here
from tests.tui.recorded_page import TASK
from tests.tui.screens.runs.test_runs import record
from webbench.core.store.pools import pools, save_pool
from webbench.core.store.records.blobs import Stored
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, now


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
    assert here(tmp_path, "runs", "--json", *at).json["archived_left_out"] == 1
    assert run in here(tmp_path, "runs", "--archived", *at).out

    assert here(tmp_path, "runs", "rm", "The pilot", *at).code == 0
    assert [one.run for one in Store(store.root).runs()] == [other]
    (binned,) = here(tmp_path, "runs", "bin", "--json", *at).json["runs"]
    assert (binned["run"], binned["name"], binned["episodes"]) == (run, "The pilot", 2)
    assert here(tmp_path, "runs", "bin", "--empty", *at).code == 2, "nobody is there to be asked"
    assert here(tmp_path, "runs", "restore", "the pilot", *at).code == 0
    assert {path: path.read_bytes() for path in before} == before
    assert {one.run for one in Store(store.root).runs()} == {run, other}

    assert here(tmp_path, "runs", "rm", run, *at).code == 0
    assert here(tmp_path, "runs", "bin", "--empty", "--yes", *at).code == 0
    assert not (store.root / "bin" / run).exists()
    assert here(tmp_path, "runs", "restore", run, *at).code == 2


def test_emptying_the_bin_gives_back_the_space_that_it_told_and_takes_nothing_others_need(
    tmp_path: Path, here: Here
) -> None:
    store = Store(tmp_path / "store")
    kept, gone = record(store, "first", 1), record(store, "second", 1)
    alone = add_page(store, gone, "<p>only here</p>" * 5_000)
    add_page(store, gone, str(list(range(20_000))))
    shared = [add_page(store, run, "<p>in both</p>" * 5_000) for run in (kept, gone)]
    resting = add_page(store, kept, "<p>only here</p>" * 5_000 + "<p>and more</p>", upon=alone)
    at = ("--store", str(store.root))
    told = here(tmp_path, "runs", "rm", gone, "--json", *at).json["bytes"]
    busy = store.recorder(kept, store.load(next((store.root / kept).glob(f"*/{HEADER}")).parent).header)
    before = on_disk(store.root)
    refused = here(tmp_path, "runs", "bin", "--empty", "--yes", *at)
    assert "being recorded" in refused.err, "what is recorded now may need it"
    assert on_disk(store.root) == before
    busy.close()
    assert here(tmp_path, "runs", "bin", "--empty", "--yes", "--json", *at).json["bytes"] == told
    assert abs(before - on_disk(store.root) - told) <= 8192, "but for the list of what was deleted"
    assert store.blobs.get(resting.name).endswith(b"<p>and more</p>")
    assert shared[0].name == shared[1].name
    assert store.blobs.has(shared[0].name)


def add_page(store: Store, run: str, html: str, upon: Stored | None = None) -> Stored:
    """One more episode with a page, which may rest on another one."""
    path = next((store.root / run).glob(f"*/{HEADER}")).parent
    recorder = store.recorder(run, msgspec.structs.replace(store.load(path).header, ended="", steps=0))
    kept = store.blobs.put(html.encode(), upon)
    recorder.write(Step(index=0, at=now(), html=kept.name))
    recorder.finish(None, "left")
    recorder.close()
    return kept


def on_disk(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def test_emptying_the_bin_spares_what_a_run_needs_that_is_linked_or_has_a_name_of_its_own(
    tmp_path: Path, here: Here
) -> None:
    store = Store(tmp_path / "store")
    linked, renamed, gone = (record(store, agent, 1) for agent in ("first", "second", "third"))
    pages = [add_page(store, run, f"<p>of {run}</p>") for run in (linked, renamed)]
    lost = add_page(store, gone, "<p>of neither</p>")
    (store.root / linked).rename(tmp_path / "elsewhere")
    (store.root / linked).symlink_to(tmp_path / "elsewhere")
    (store.root / renamed).rename(store.root / f"{renamed} (old)")
    at = ("--store", str(store.root))
    here(tmp_path, "runs", "rm", gone, *at)
    (store.root / "bin" / "emptied.json").write_text("no list")
    assert here(tmp_path, "runs", "bin", "--empty", "--yes", *at).code == 4
    assert (store.root / "bin" / gone).is_dir(), "what can't be remembered as deleted isn't"
    (store.root / "bin" / "emptied.json").unlink()
    assert here(tmp_path, "runs", "bin", "--empty", "--yes", *at).code == 0
    assert [store.blobs.has(one.name) for one in (*pages, lost)] == [True, True, False]


def test_what_is_recorded_now_is_not_deleted_nor_is_a_run_that_is_unknown(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run = record(store, "first", 1)
    header = next((store.root / run).glob(f"*/{HEADER}")).parent
    episode = store.load(header).header
    recorder = store.recorder(run, episode)
    at = ("--store", str(store.root))
    idle = record(store, "second", 1)
    assert "is being recorded" in here(tmp_path, "runs", "rm", idle, run, *at).err, "all of them or none"
    recorder.close()
    assert here(tmp_path, "runs", "rm", "other", *at).code == 2
    assert here(tmp_path, "runs", "tag", "two words", run, *at).code == 2
    assert {one.run for one in Store(store.root).runs()} == {run, idle}


def test_runs_of_one_agent_are_pooled_and_their_tasks_are_repeats(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    runs = [record(store, "first", 3) for _ in range(2)]
    other = record(store, "second", 3)
    at = ("--store", str(store.root))
    assert "first at demo and second" in here(tmp_path, "runs", "pool", "both", runs[0], other, *at).err
    assert here(tmp_path, "runs", "pool", "both", *runs, *at).code == 0
    assert here(tmp_path, "runs", "pool", "--json", *at).json["pools"] == {"both": runs}
    assert here(tmp_path, "runs", "pool", "again", "@both", runs[0], *at).code == 0
    assert pools(store.root)["again"] == tuple(runs), "its runs, none of them twice"
    assert here(tmp_path, "runs", "pool", "again", "--remove", *at).code == 0
    assert here(tmp_path, "runs", "tag", "pilot", "@both", *at).code == 0
    assert {one.run for one in store.runs() if one.tags} == set(runs)
    assert here(tmp_path, "runs", "tag", "pilot", "@both", "--remove", *at).code == 0
    assert "@both is a pool: " in here(tmp_path, "status", "@both", *at).err
    told = here(tmp_path, "stats", "@both", other, "--json", *at).json["analysis"]
    assert [one["run"] for one in told["actors"]] == ["@both", other]
    assert f"@both counts 2 runs ({runs[0]}, {runs[1]}) as one actor" in " ".join(told["methods"])
    again = here(tmp_path, "stats", "@both", "--section", "repeats", *at)
    assert again.code == 0, "a task of both runs was attempted several times"
    assert "would count twice" in here(tmp_path, "stats", "@both", runs[0], *at).err
    assert "no episode of no-such" in here(tmp_path, "stats", "@both", "--task", "no-such", *at).err
    assert here(tmp_path, "stats", "@both", "--task", TASK.name, *at).code == 0
    assert "@both" in here(tmp_path, "runs", *at).out
    assert here(tmp_path, "runs", "--json", *at).json["pools"] == {run: ["@both"] for run in runs}
    episode = store.episodes(other)[0].episode
    for words, own in (
        (("@both", other), 3),
        ((episode, "@both"), 1),
        (("@both", episode, "--task", "x"), 0),
    ):
        compared = here(tmp_path, "compare", *words, "--json", *at)
        if own:
            found = compared.json["comparison"]["attempts"]
            assert Counter(one["run"] for one in found) == {runs[0]: 3, runs[1]: 3, other: own}
        else:
            assert "0 tasks in common" in compared.err
    lacking = record(store, "third", 0)
    refused = here(tmp_path, "compare", episode, store.episodes(runs[0])[0].episode, lacking, *at)
    assert f"{lacking} has no attempt at" in refused.err
    here(tmp_path, "runs", "rm", runs[1], *at)
    assert f"{runs[1]} of the pool @both is not in the store" in here(tmp_path, "stats", "@both", *at).err
    assert here(tmp_path, "runs", "pool", "both", "--remove", *at).code == 0
    assert "no pool @both" in here(tmp_path, "stats", "@both", *at).err


def test_a_given_name_is_taken_wherever_a_run_or_an_episode_is_named(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run, other = record(store, "first", 2), record(store, "second", 1)
    at = ("--store", str(store.root))
    assert "is another run" in here(tmp_path, "runs", "rename", run, other, *at).err
    assert "a pool" in here(tmp_path, "runs", "rename", run, "@both", *at).err
    assert here(tmp_path, "runs", "rename", run, "The pilot", *at).code == 0
    episodes = [one.episode for one in store.episodes(run)]
    shown = here(tmp_path, "show", "the pilot", "--json", *at).json["episodes"]
    assert [one["episode"] for one in shown] == episodes
    assert here(tmp_path, "show", f"The pilot/{episodes[1]}", *at).code == 0
    out = str(tmp_path / "out.jsonl")
    made = here(tmp_path, "export", "The pilot", "--to", "jsonl", "--out", out, "--json", *at)
    assert made.json["exported"]["episodes"] == 2
    page = here(tmp_path, "report", "The pilot", other, "--html", str(tmp_path / "a.html"), "--json", *at)
    assert page.json["kind"] == "2 runs"
    assert "is a run, no episode" in here(tmp_path, "weblinx", "export", "The pilot", "--out", out, *at).err
    assert here(tmp_path, "score", "The pilot", "--json", *at).json["run"] == "The pilot"
    assert "has no plan" in here(tmp_path, "status", "The pilot", *at).err


def test_labels_of_a_deleted_run_count_no_more_until_it_is_restored(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run, other = record(store, "first", 1), record(store, "second", 1)
    at = ("--store", str(store.root))
    for one in (run, other):
        (episode,) = store.episodes(one)
        given = here(tmp_path, "label", "give", episode.episode, "--as", "ann", "--code", "unclear", *at)
        assert given.code == 0, given.err
    exported = ("label", "export", "--all", "--json", *at)
    assert len(here(tmp_path, *exported).json["labels"]) == 2
    here(tmp_path, "runs", "rm", run, *at)
    told = here(tmp_path, *exported)
    assert [one["run"] for one in told.json["labels"]] == [other]
    assert "1 entry of deleted runs left out" in told.err
    here(tmp_path, "runs", "restore", run, *at)
    assert len(here(tmp_path, *exported).json["labels"]) == 2


def test_pools_that_are_made_at_once_are_all_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    runs = [record(store, "first", 1) for _ in range(2)]
    names = [f"pool{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as several:
        list(several.map(lambda name: save_pool(store.root, name, runs), names))
    assert sorted(pools(store.root)) == sorted(names)
