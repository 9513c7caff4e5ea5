"""The forest plot's rows: their numbers are those of the rates, what has no score is counted and no 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.analysis.recorded_runs import Recording
from webbench.core.analysis.paper.every_figure import paper_figures
from webbench.core.analysis.paper.paper_figure import Intervals, shared_beginning
from webbench.core.errors import UsageError
from webbench.core.statistics.estimates import Estimate
from webbench.core.store.store import Store


def test_rates_differences_and_what_is_left_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other = Recording(store, "agent-one"), Recording(store, "agent-other")
    for task, scores in {"a": (1.0, 0.0), "b": (1.0, 1.0), "c": (0.0, 0.0), "d": (1.0, None)}.items():
        for run, score in zip((one, other), scores, strict=True):
            run.add(task, score)
    figure = paper_figures(store, [one.run, other.run], ["forest"]).figures[0]
    assert isinstance(figure.plot, Intervals)
    rates, differences = figure.plot.panels
    assert [(row.label, row.estimate.value, row.estimate.n) for row in rates.rows] == [
        ("one", 0.75, 4),
        ("other", pytest.approx(1 / 3), 3),
    ]
    assert [(row.label, row.against, row.estimate.n) for row in differences.rows] == [("one", "other", 3)]
    assert differences.rows[0].estimate.value == pytest.approx(1 / 3)
    assert [row.cells[6] for row in figure.table.rows] == [3, 1, None]
    estimate = figure.table.rows[0].cells[3]
    assert isinstance(estimate, Estimate)
    assert estimate.low == pytest.approx(0.3006, abs=1e-4)
    assert figure.left_out == {"episodes not scored": 1, "tasks that one of a pair alone has scored": 1}
    assert figure.whole_caption.endswith(
        "Left out: episodes not scored: 1; tasks that one of a pair alone has scored: 1."
    )


def test_of_many_agents_the_differences_from_the_highest_rate_are_drawn(tmp_path: Path) -> None:
    store = Store(tmp_path)
    runs = [Recording(store, f"agent-{at}") for at in range(7)]
    for at, run in enumerate(runs):
        run.add("a", float(at == 3))
    figure = paper_figures(store, [run.run for run in runs], ["forest"]).figures[0]
    assert isinstance(figure.plot, Intervals)
    _, differences = figure.plot.panels
    assert len(differences.rows) == 6
    assert all("3" in (row.label, row.against) for row in differences.rows)
    assert figure.left_out["differences that stand in the table alone"] == 15
    assert len([row for row in figure.table.rows if row.cells[0] == "difference"]) == 21


def test_without_a_score_there_is_no_plot(tmp_path: Path) -> None:
    run = Recording(Store(tmp_path), "agent")
    run.add("a", None)
    figure = paper_figures(run.store, [run.run], ["forest"]).figures[0]
    assert (figure.plot, figure.empty) == (None, "no episode of these runs has a score")
    assert figure.table.rows[0].cells[3] == Estimate(value=None, method="Wilson score")


def test_an_unknown_figure_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="forest"):
        paper_figures(Store(tmp_path), ["x"], ["forrest"])


def test_names_lose_what_all_begin_with() -> None:
    assert shared_beginning(["GenericAgent-gpt-4o", "GenericAgent-gpt-4o-mini"]) == "GenericAgent-gpt-"
    assert shared_beginning(["GPT4o", "GPT4oMini"]) == ""
    assert shared_beginning(["alone-1"]) == ""
