"""The difficulty that follows from two closed-book runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.benchmarks.assistantbench.difficulty import rate_difficulty
from webbench.core.analysis.recorded.run_records import RecordedRun, read_runs
from webbench.core.errors import UsageError
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def run(store: Store, values: list[float | None]) -> RecordedRun:
    name = store.start_run("assistantbench", "closed-book", len(values))
    for order, value in enumerate(values):
        task = Task(benchmark="assistantbench", name=f"q{order}", kind="Hard")
        header = EpisodeHeader(run="", episode="", task=task, actor="a", dialect="d", order=order)
        score = not_scored("no key") if value is None else Score(status=Status.SCORED, value=value)
        store.recorder(name, header).finish(score, "done")
    return read_runs(store, [name])[0]


def test_both_one_none_and_no_score(tmp_path: Path) -> None:
    store = Store(tmp_path)
    rated = rate_difficulty([run(store, [0.5, 0.9, 0.49, None]), run(store, [1.0, 0.0, 0.0, 1.0])])
    assert [(one.task, one.difficulty) for one in rated] == [
        ("q0", "Easy"),
        ("q1", "Medium"),
        ("q2", "Hard"),
        ("q3", ""),
    ]
    assert rated[0].given == "Hard"
    assert rated[3].scores == (None, 1.0)
    with pytest.raises(UsageError, match="two runs"):
        rate_difficulty([run(store, [1.0])])
    store.close()
