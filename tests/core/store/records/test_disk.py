"""A disk that is full or read-only: a clear message, nothing lost, and going on afterwards."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from webbench.core.errors import EnvironmentDown
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.store import Store


def test_a_full_disk_loses_no_recorded_step_and_can_be_gone_on_from(small_disk, begin, step, page) -> None:
    disk = small_disk("600k")
    store = Store(disk / "store")
    recorder = begin(store)
    ballast = disk / "ballast"
    ballast.write_bytes(b"x" * 300_000)
    recorded = 0

    def record_for_ever() -> None:
        nonlocal recorded
        while True:
            recorder.write(step(recorded), observation=page(recorded), html=os.urandom(3_000).hex())
            recorded += 1

    with pytest.raises(StoreUnwritable, match="no space left") as caught:
        record_for_ever()
    assert caught.value.cause == "full"
    assert isinstance(caught.value, EnvironmentDown)
    assert "free some space" in caught.value.hint
    assert recorded > 0
    assert store.load(recorder.folder).problems == ()
    assert len(store.load(recorder.folder).steps) == recorded
    assert not list((disk / "store" / "tmp").iterdir())

    ballast.unlink()
    recorder.write(step(recorded), observation=page(recorded))
    recorder.finish(None, "done")
    trajectory = store.load(recorder.folder)
    assert [step.index for step in trajectory.steps] == list(range(recorded + 1))
    assert store.check(recorder.folder) == []
    assert [summary.state for summary in store.episodes()] == ["ended"]


def test_a_line_that_does_not_fit_is_cut_off_again(store: Store, begin, step) -> None:
    """A limit on the size of files tears the line itself, not only a blob."""
    import msgspec

    recorder = begin(store)
    recorder.write(step(0))
    steps = recorder.folder / "steps.jsonl"
    size = steps.stat().st_size
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limit[1]))
        with pytest.raises(StoreUnwritable, match="no space left"):
            recorder.write(msgspec.structs.replace(step(1), note="n" * 5_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    assert steps.stat().st_size == size
    recorder.write(step(1))
    assert [step.index for step in store.load(recorder.folder).steps] == [0, 1]


def test_an_end_that_does_not_fit_can_be_written_later(small_disk, begin, step) -> None:
    disk = small_disk("200k")
    store = Store(disk / "store")
    recorder = begin(store)
    recorder.write(step(0))
    ballast = disk / "ballast"
    with pytest.raises(OSError, match="space"):
        ballast.write_bytes(b"x" * 1_000_000)
    with pytest.raises(StoreUnwritable, match="no space left"):
        recorder.finish(None, "submitted")
    assert store.load(recorder.folder).header.ended == ""
    ballast.unlink()
    assert recorder.finish(None, "submitted").end_reason == "submitted"
    assert store.load(recorder.folder).header.end_reason == "submitted"


def test_a_read_only_store_is_read_and_says_why_it_is_not_written(small_disk, begin, step, page) -> None:
    disk = small_disk("4m")
    writing = Store(disk / "store")
    recorder = begin(writing)
    recorder.write(step(0), observation=page(0))
    recorder.finish(None, "done")
    begin(writing).close()
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)

    store = Store(disk / "store")
    assert len(store.runs()) == 2
    trajectory = store.load(recorder.folder.name)
    assert store.observation(trajectory, trajectory.steps[0]) == page(0)
    assert store.check(recorder.folder) == []
    with pytest.raises(StoreUnwritable, match="read-only") as caught:
        store.start_run("shop", "human", 1)
    assert caught.value.cause == "read-only"
    assert "--store" in caught.value.hint


def test_a_store_below_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "store")
    assert store.runs() == []
    with pytest.raises(StoreUnwritable, match="could not be recorded"):
        store.start_run("shop", "human", 1)


def test_where_there_are_no_locks_only_old_files_are_swept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_descriptor: int, _kind: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    store.start_run("shop", "human", 1)
    folder = store.root / "tmp"
    (folder / "old").write_text("half")
    (folder / "old-folder").mkdir()
    (folder / "new").write_text("half")
    for name in ("old", "old-folder"):
        os.utime(folder / name, (1, 1))
    Store(store.root).sweep()
    assert {path.name for path in folder.iterdir()} == {"new", "old-folder"}
