"""Looking on by lines at an episode that another process plays, and copying runs to and fro."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.runner.played_run import PlayedRun
from tests.tui.cli.program import Here
from webbench.core.store.store import Store


@pytest.fixture
def played(tmp_path: Path) -> PlayedRun:
    """A run of two episodes in `tmp_path/store` that are being played."""
    run = PlayedRun(Store(tmp_path / "store"), planned=2)
    for order in (0, 1):
        run.begin(order)
        run.step(order, 1)
    return run


def test_an_episode_is_told_to_its_end_step_by_step(tmp_path: Path, played: PlayedRun, here: Here) -> None:
    episode = played.open[0].header.episode
    played.end(0, 1.0)
    told = here(tmp_path, "attach", episode, "--store", "store", "--json")
    assert told.code == 0
    names = [line["event"] for line in told.json_lines]
    assert names == ["EpisodeStarted", "StepRecorded", "StepRecorded", "EpisodeEnded"]
    assert told.json_lines[2]["step"]["text"] == "click [11]"
    plain = here(tmp_path, "attach", episode, "--store", "store")
    assert "step 1 agent: click [11]" in plain.out
    assert plain.out.rstrip().endswith("score: 1.000")


def test_a_run_that_plays_several_is_not_enough_to_name_one(
    tmp_path: Path, played: PlayedRun, here: Here
) -> None:
    told = here(tmp_path, "attach", played.run, "--store", "store", "--json")
    assert told.code == 2
    assert "is playing 2 episodes" in told.err
    refused = here(tmp_path, "attach", played.open[0].header.episode, "--take-over", "--store", "store")
    assert refused.code == 3
    assert "can't be taken over from here" in refused.err


def test_runs_are_copied_to_an_address_and_back(tmp_path: Path, played: PlayedRun, here: Here) -> None:
    played.end(0, 0.5)
    address = f"file://{tmp_path}/shared"
    there = here(tmp_path, "push", address, "--store", "store", "--json")
    assert (there.code, there.json["episodes"]) == (0, 1)
    back = here(tmp_path, "pull", address, played.run, "--store", "other")
    assert "1 episode copied, of 1 run" in back.out
    assert [one.value for one in Store(tmp_path / "other").episodes(played.run)] == [0.5]
    assert here(tmp_path, "pull", "nonsense://x", "--store", "other").code == 2
