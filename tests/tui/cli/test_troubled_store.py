"""Records that are torn, newer or can't be written: commands say so plainly and lose nothing."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from tests.tui.cli.program import Here
from webbench.core.store.records import recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


@pytest.fixture
def episode(tmp_path: Path) -> Path:
    """An episode of three steps in `tmp_path/store`, ended."""
    store = Store(tmp_path / "store")
    task = Task(benchmark="shop", name="cart", intent="Put tea into the cart")
    header = EpisodeHeader(run="", episode="", task=task, actor="oracle", dialect="json")
    writing = store.recorder(store.start_run("shop", "oracle", 1), header)
    for index in range(3):
        writing.write(Step(index=index, at="2026-01-01T00:00:00.000+00:00", text=f"click [{index}]"))
    writing.finish(None, "done")
    store.close()
    return writing.folder


def test_a_torn_last_line_is_told_and_the_rest_is_shown(tmp_path: Path, here: Here, episode: Path) -> None:
    steps = episode / "steps.jsonl"
    steps.write_bytes(steps.read_bytes()[:-20])
    done = here(tmp_path, "show", episode.name, "--store", "store")
    assert done.code == 4
    assert "click [1]" in done.out
    assert "click [2]" not in done.out
    assert "is torn: the step in flight when its writer died was skipped" in done.err


@pytest.mark.parametrize("command", ["show", "step"])
def test_a_record_of_a_newer_release_is_refused_in_words(
    tmp_path: Path, here: Here, episode: Path, command: str
) -> None:
    header = json.loads((episode / "episode.json").read_text())
    (episode / "episode.json").write_text(json.dumps({**header, "schema_version": 99}))
    before = {path.name: path.read_bytes() for path in episode.iterdir()}
    name = [episode.name] if command == "show" else ["--resume", episode.name]
    done = here(tmp_path, command, *name, "--store", "store")
    assert done.code == 4
    assert "99" in done.err
    assert "Traceback" not in done.err
    assert {path.name: path.read_bytes() for path in episode.iterdir()} == before


@pytest.mark.browser
def test_a_full_disk_is_told_once_and_halts_the_run(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recorder, "write_all", full)
    arguments = ("run", "demo", "--agent", "oracle", "--task", "price-of-lantern", "--store", "store")
    done = here(tmp_path, *arguments, "--json")
    assert done.code == 3
    assert (done.json["scored"], done.json["mean_score"], done.json["left"]) == (0, None, 1)
    assert done.json["state"] == "halted"
    assert "no space left" in done.json["reason"]
    told = [line for line in done.err.splitlines() if "free some space" in line]
    assert len(told) == 1
    assert "no space left" in told[0]
    assert f"run --resume {done.json['run']}" in done.err
