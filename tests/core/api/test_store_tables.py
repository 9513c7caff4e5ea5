"""Recorded episodes as pandas tables: what has no score is NA, never 0."""

from __future__ import annotations

from pathlib import Path

import pytest

import webbench as wb
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.store.store import Store as RecordStore
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

CHECKS = (Check(name="exact match", target="answer", value=0.0, why="not the same"),)


@pytest.fixture
def store(tmp_path: Path) -> wb.Store:
    """Two scored episodes, one that has no score, and one that can't be read."""
    records = RecordStore(tmp_path)
    run = records.start_run(benchmark="demo", agent="human", planned=4)
    scores = (
        Score(status=Status.SCORED, value=0.0, combination="one check", checks=CHECKS),
        Score(status=Status.SCORED, value=1.0),
        not_scored("the page was lost"),
        None,
    )
    for order, score in enumerate(scores):
        header = EpisodeHeader(
            run=run,
            episode="",
            task=Task(benchmark="demo", name=f"task-{order}", site="shop" if order else "forum"),
            actor="human",
            dialect="webarena",
            order=order,
        )
        recorder = records.recorder(run, header)
        recorder.write(Step(index=0, at="2026-11-23T10:00:00.000+00:00", actor="operator"))
        recorder.write(Step(index=1, at="2026-11-23T10:00:01.000+00:00", text="stop [\ud800]"))
        if score is not None:
            recorder.finish(score, "the actor stopped")
        recorder.close()
    broken = tmp_path / run / next(one.episode for one in records.episodes(run) if one.order == 3)
    (broken / "episode.json").write_text("{")
    records.close()
    return wb.Store(tmp_path)


def test_a_score_that_there_is_not_is_na(store: wb.Store) -> None:
    frame = store.episodes().to_pandas()
    assert list(frame["status"]) == ["scored", "scored", "not_scored", "unreadable"]
    assert list(frame["value"].isna()) == [False, False, True, True]
    assert frame["value"].dtype == "Float64"
    assert frame["value"].mean() == 0.5
    assert frame["instance"].isna().all()
    assert "the page was lost" in frame["score_reason"][2]


def test_the_filter_is_that_of_lists(store: wb.Store) -> None:
    assert [one.task for one in store.episodes("site:shop status:scored")] == ["task-1"]
    assert len(store.episodes("benchmark:demo actor:human")) == 3  # of the broken one nobody knows
    with pytest.raises(wb.UsageError, match="scored"):
        store.episodes("status:scord")


def test_steps_and_checks_have_a_row_each(store: wb.Store) -> None:
    episodes = store.episodes("status:scored")
    steps = episodes.steps().to_pandas()
    assert list(zip(steps["episode"], steps["step"], strict=True)) == [
        (one.episode, at) for one in episodes for at in (0, 1)
    ]
    assert list(steps["sent"]) == ["", "stop [?]"] * 2
    (check,) = episodes.checks()
    frame = episodes.checks().to_pandas()
    assert (frame["value"][0], frame["why"][0]) == (check.value, "not the same")


def test_a_table_of_nothing_has_its_columns(store: wb.Store) -> None:
    import pandas as pd

    nothing = store.episodes("no such text")
    assert (len(nothing), nothing.names) == (0, [])
    assert list(nothing.to_pandas().columns)[:3] == ["run", "episode", "benchmark"]
    assert isinstance(nothing.labels().to_pandas(), pd.DataFrame)


def test_episodes_are_a_sequence(store: wb.Store) -> None:
    episodes = store.episodes()
    assert episodes[1:].names == episodes.names[1:]
    assert store.load(episodes[0]).header.task.name == "task-0"
    assert store.load(episodes.names[1]).header.task.name == "task-1"
    assert len(list(episodes.trajectories())) == 3


def test_something_else_than_a_folder_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(wb.UsageError, match="no folder"):
        wb.Store(tmp_path / "file")
