"""The index is a cache: lists are right whatever becomes of it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store


@pytest.fixture
def filled(store: Store, begin, step) -> Store:
    """Two runs: one with the scores 1.0, 0.5 and none, one with nothing in it."""
    run = store.start_run("shop", "oracle", 4, ("cart#0",))
    for order, value in enumerate((1.0, 0.5, None)):
        recorder = begin(store, run=run, order=order)
        recorder.write(step(0))
        recorder.write(step(1))
        score = not_scored("site down") if value is None else Score(status=Status.SCORED, value=value)
        recorder.finish(score, "done")
    store.start_run("shop", "human", 1)
    return store


def figures(store: Store) -> list[tuple[str, int, int, int, float | None]]:
    return sorted((run.agent, run.planned, run.episodes, run.scored, run.mean_score) for run in store.runs())


EXPECTED = [("human", 1, 0, 0, None), ("oracle", 4, 3, 2, 0.75)]


def test_runs_count_what_is_scored_and_never_what_is_not(filled: Store) -> None:
    assert figures(filled) == EXPECTED
    run = next(run.run for run in filled.runs() if run.agent == "oracle")
    assert [(e.order, e.status, e.value, e.reason, e.steps) for e in filled.episodes(run)] == [
        (0, Status.SCORED, 1.0, "done", 1),
        (1, Status.SCORED, 0.5, "done", 1),
        (2, Status.NOT_SCORED, None, "site down", 1),
    ]
    started = [run.started for run in filled.runs()]
    assert started == sorted(started, reverse=True)
    assert all(started)


def test_runs_and_episodes_have_readable_names(filled: Store) -> None:
    run = next(run.run for run in filled.runs() if run.agent == "oracle")
    assert run[10] == "_"
    assert "_shop_oracle_" in run
    assert filled.episodes(run)[2].episode.startswith("0002_cart-0_")


def test_a_deleted_index_loses_nothing(filled: Store) -> None:
    before = filled.episodes()
    for path in filled.root.glob("index.sqlite*"):
        path.unlink()
    assert filled.episodes() == before
    assert figures(Store(filled.root)) == EXPECTED
    assert (filled.root / "index.sqlite").exists()


@pytest.mark.parametrize("damage", ["text", "head", "middle", "tables", "empty", "format"])
def test_a_damaged_index_is_built_anew(filled: Store, damage: str) -> None:
    before = filled.episodes()
    path = filled.root / "index.sqlite"
    for journal in filled.root.glob("index.sqlite-*"):
        journal.unlink()
    data = bytearray(path.read_bytes())
    if damage in ("tables", "format"):
        with sqlite3.connect(path) as database:
            database.execute("DROP TABLE episodes" if damage == "tables" else "PRAGMA user_version = 99")
        database.close()
    else:
        data[100:200] = b"\xff" * 100 if damage == "head" else data[100:200]
        data[4096:] = b"\xff" * (len(data) - 4096) if damage == "middle" else data[4096:]
        path.write_bytes({"text": b"not a database" * 1000, "empty": b""}.get(damage, bytes(data)))
    assert Store(filled.root).episodes() == before
    assert figures(filled) == EXPECTED


def test_a_folder_in_the_place_of_the_index_is_left_alone(filled: Store) -> None:
    for path in filled.root.glob("index.sqlite*"):
        path.unlink()
    (filled.root / "index.sqlite").mkdir()
    assert figures(Store(filled.root)) == EXPECTED


def test_an_index_locked_by_another_process_does_not_stop_reading(filled: Store, monkeypatch) -> None:
    import webbench.core.store.index.index as index

    monkeypatch.setattr(index, "BUSY_SECONDS", 0.05)
    filled.runs()
    holder = sqlite3.connect(filled.root / "index.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    filled.start_run("shop", "random", 1)
    assert len(filled.runs()) == 3
    holder.close()


def test_what_another_store_object_writes_is_seen_at_once(filled: Store, begin) -> None:
    other = Store(filled.root)
    assert len(other.runs()) == 2
    recorder = begin(filled)
    assert len(other.runs()) == 3
    assert [e.state for e in other.episodes(recorder.header.run)] == ["running"]
    recorder.finish(Score(status=Status.SCORED, value=0.25), "done")
    (summary,) = other.episodes(recorder.header.run)
    assert (summary.state, summary.value) == ("ended", 0.25)


def test_removed_runs_and_episodes_disappear(filled: Store) -> None:
    run = next(run.run for run in filled.runs() if run.agent == "oracle")
    shutil.rmtree(filled.root / run / filled.episodes(run)[0].episode)
    assert figures(filled) == [EXPECTED[0], ("oracle", 4, 2, 1, 0.5)]
    shutil.rmtree(filled.root / run)
    assert figures(filled) == [EXPECTED[0]]


def test_a_settled_run_is_not_read_again(filled: Store, monkeypatch) -> None:
    """Only folders that changed since they were read cost more than a look at them."""
    import webbench.core.store.index.index as index

    for folder in filled.root.iterdir():
        if folder.is_dir():
            os.utime(folder, (1_700_000_000, 1_700_000_000))
    before = filled.runs()

    def never(*_: object) -> None:
        raise AssertionError("a settled run was read again")

    monkeypatch.setattr(index, "_read_run", never)
    assert Store(filled.root).runs() == before


def test_a_run_without_its_header_says_so(filled: Store) -> None:
    run = next(run.run for run in filled.runs() if run.agent == "oracle")
    (filled.root / run / "run.json").write_text(json.dumps([1, 2]))
    os.utime(filled.root / run)
    broken = next(summary for summary in filled.runs() if summary.run == run)
    assert "no readable record" in broken.problem
    assert (broken.episodes, broken.scored) == (3, 2)


def test_foreign_files_in_the_store_do_no_harm(filled: Store, tmp_path: Path) -> None:
    (filled.root / "notes.txt").write_text("mine")
    (filled.root / "lost+found").mkdir()
    (filled.root / "link").symlink_to(tmp_path)
    (filled.root / "\udcff-odd").mkdir()
    (filled.root / "holiday" / "photos").mkdir(parents=True)
    assert figures(filled) == EXPECTED


def test_listing_an_empty_or_absent_store_makes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "absent")
    assert store.runs() == []
    assert store.episodes() == []
    assert not (tmp_path / "absent").exists()


def test_text_that_is_no_valid_unicode_can_be_listed(store: Store, begin: Callable[..., Recorder]) -> None:
    recorder = begin(store)
    recorder.finish(None, "the page said \ud800")
    recorder.close()

    assert store.episodes()[0].reason == "the page said \ud800"
