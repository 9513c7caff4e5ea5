"""Files made by the thousand appear whole, or not at all, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webbench.core.store.records.bulk_writing import Workbench
from webbench.core.store.records.durable_files import write_file
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


def test_files_and_folders_are_prepared_aside(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)

    for text in (b"old", b"new"):
        write_file(tmp_path, tmp_path / "deep" / "er" / "file", [text[:1], text[1:]], workbench=bench)
    bench.prepare_folder({"a": b"1"}).rename(tmp_path / "folder")
    bench.prepare_folder({"a": b"2"})
    bench.close()
    bench.close()

    assert (tmp_path / "deep" / "er" / "file").read_bytes() == b"new"
    assert (tmp_path / "folder" / "a").read_bytes() == b"1"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    write_file(tmp_path, tmp_path / "file", [b"old"], workbench=bench)

    def failing() -> Iterator[bytes]:
        yield b"ne"
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write_file(tmp_path, tmp_path / "file", failing(), workbench=bench)
    bench.close()

    assert (tmp_path / "file").read_bytes() == b"old"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_episodes_copied_in_are_as_good_as_recorded_ones(store: Store, page, step) -> None:
    run = store.start_run("shop", "oracle", 1)
    task = Task(benchmark="shop", name="a")
    header = EpisodeHeader(run="", episode="", task=task, actor="oracle", dialect="json")
    recorder: Recorder = store.recorder(run, header, durable=False)
    written: list[Step] = [recorder.write(step(index), observation=page(index)) for index in range(25)]
    kept = recorder.keep_data("../log.har", b"{}")
    assert store.episodes(run) == []
    recorder.finish(None, "done")

    trajectory = store.load(recorder.folder)
    assert (trajectory.steps, trajectory.problems) == (tuple(written), ())
    assert store.check(recorder.folder) == []
    assert [store.observation(trajectory, one) for one in trajectory.steps] == [page(n) for n in range(25)]
    assert kept == "files/log.har"
    store.close()
    assert list((store.root / "tmp").iterdir()) == []


def test_an_episode_that_is_not_copied_to_its_end_leaves_nothing(store: Store, page, step) -> None:
    run = store.start_run("shop", "oracle", 1)
    header = EpisodeHeader(
        run="", episode="", task=Task(benchmark="shop", name="a"), actor="oracle", dialect="json"
    )
    recorder = store.recorder(run, header, durable=False)
    recorder.write(step(0), observation=page(0))
    recorder.close()
    store.close()

    assert store.episodes(run) == []
    assert list((store.root / "tmp").iterdir()) == []
