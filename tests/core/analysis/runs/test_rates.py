"""Runs as figures: what is not scored never counts as 0."""

from pathlib import Path

import pytest

from webbench.core.analysis.runs.success_rates import rates
from webbench.core.errors import UsageError
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def run(store: Store, agent: str, scores: dict[str, float | None], benchmark: str = "b") -> str:
    name = store.start_run(benchmark, agent, len(scores))
    for order, (task, value) in enumerate(scores.items()):
        header = EpisodeHeader(
            run="",
            episode="",
            task=Task(benchmark=benchmark, name=task, template=task[0]),
            actor=agent,
            dialect="d",
            order=order,
        )
        score = not_scored("no page") if value is None else Score(status=Status.SCORED, value=value)
        store.recorder(name, header).finish(score, "done")
    return name


def test_rates_are_over_what_is_scored(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = run(store, "a", {"a1": 1.0, "a2": 0.5, "b1": None, "b2": 0.0})

    (found,) = rates(store, [name]).runs

    assert found.states == {"scored": 3, "not_scored": 1}
    assert found.success.value == pytest.approx(1 / 3)
    assert (found.mean.value, found.mean.n, found.mean.clusters) == (0.5, 3, 2)
    store.close()


def test_an_attempt_that_was_played_again_is_in_no_rate(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.start_run("b", "a", 2)
    for order, attempt, value in ((0, 0, None), (0, 1, 1.0), (1, 0, 0.0)):
        header = EpisodeHeader(
            run="",
            episode="",
            task=Task(benchmark="b", name=f"t{order}"),
            actor="a",
            dialect="d",
            order=order,
            attempt=attempt,
        )
        score = not_scored("hung") if value is None else Score(status=Status.SCORED, value=value)
        store.recorder(name, header).finish(score, "done")

    (found,) = rates(store, [name]).runs

    assert found.states == {"scored": 2, "played again": 1}
    assert (found.mean.value, found.mean.n) == (0.5, 2)
    store.close()


def test_pairs_are_compared_on_common_tasks(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first = run(store, "a", {"a1": 1.0, "b1": 1.0, "c1": 0.0, "d1": 1.0})
    second = run(store, "b", {"a1": 0.0, "b1": 1.0, "c1": 0.0, "d1": None})

    (pair,) = rates(store, [first, second]).pairs

    assert (pair.tasks, pair.only_first, pair.only_second) == (3, ("a1",), ())
    assert pair.difference.estimate.value == pytest.approx(1 / 3)
    assert pair.difference.p == pair.p_holm == 1.0
    store.close()


def test_runs_of_different_benchmarks_have_no_difference(tmp_path: Path) -> None:
    store = Store(tmp_path)
    names = [run(store, "a", {"t": 1.0}), run(store, "a", {"t": 1.0}, benchmark="c")]

    with pytest.raises(UsageError, match="different benchmarks"):
        rates(store, names)
    with pytest.raises(UsageError, match="no run"):
        rates(store, ["nothing"])
    store.close()
