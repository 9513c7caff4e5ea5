"""Rows of paper figures: settled labels alone, states of scores that are no 0, ways that part or end."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.core.analysis.recorded_runs import Recording
from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.analysis.paper.every_figure import KINDS, paper_figures
from webbench.core.analysis.paper.paper_figure import Curves, Growth, Histogram, Matrices, PaperFigure
from webbench.core.errors import UsageError
from webbench.core.labels.label import Done, Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.score.score import Score, Status
from webbench.core.statistics.estimates import Estimate
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


def label(who: str, code: str, *, episode: tuple[str, str]) -> Label:
    run, name = episode
    return Label(
        run=run,
        episode=name,
        taxonomy="merged",
        version=1,
        question="cause",
        code=code,
        annotator=who,
    )


def one_figure(store: Store, runs: list[str], kind: str, reference: str = "") -> PaperFigure:
    return paper_figures(store, runs, [kind], reference=reference).figures[0]


def test_shares_of_codes_are_over_settled_episodes(tmp_path: Path) -> None:
    run = Recording(Store(tmp_path), "agent")
    episodes = [tuple(run.add(f"a{at}", 0.0).split("/")) for at in range(4)]
    first, second, third, _ = [(one[0], one[1]) for one in episodes]
    given = [label("a", "planning", episode=one) for one in (first, second, third)]
    given += [label("b", "planning", episode=first), label("b", "perception", episode=second)]
    done = [
        Done(run=place[0], episode=place[1], taxonomy="merged", annotator=who)
        for who, places in {"a": (first, second, third), "b": (first, second)}.items()
        for place in places
    ]
    ledger_of(run.store).add([*given, *done])
    figure = one_figure(run.store, [run.run], "errors")
    rows = [row for row in figure.table.rows if row.cells[:2] == ("cause", "planning")]
    share, counts = rows[0].cells[4], rows[0].cells[5:]
    assert isinstance(share, Estimate)
    assert (share.value, share.n, counts) == (1.0, 2, (2, 2, 1))
    assert figure.left_out == {
        "episodes without labels": 1,
        "episodes somebody is still labelling": 0,
        "labelled episodes with a label that is not settled": 1,
    }
    crossed = one_figure(run.store, [run.run], "raters")
    assert sum(int(str(row.cells[6])) for row in crossed.table.rows if row.cells[0] == "cause") == 2
    assert crossed.left_out["episodes that no two raters are done with"] == 1


def test_an_episode_that_somebody_is_still_labelling_is_told_and_not_counted(tmp_path: Path) -> None:
    run = Recording(Store(tmp_path), "agent")
    done, begun = (tuple(run.add(task, 0.0).split("/")) for task in ("a", "b"))
    given = [label("a", "planning", episode=(one[0], one[1])) for one in (done, begun)]
    through = [Done(run=one[0], episode=one[1], taxonomy="merged", annotator="a") for one in (done, begun)]
    ledger_of(run.store).add([*given, *through, label("b", "perception", episode=(begun[0], begun[1]))])
    figure = one_figure(run.store, [run.run], "errors")
    shares = {row.cells[:2]: row.cells[4] for row in figure.table.rows}
    share = shares["cause", "planning"]
    assert isinstance(share, Estimate)
    assert (share.value, share.n) == (1.0, 1)
    assert figure.left_out["episodes somebody is still labelling"] == 1
    assert figure.left_out["episodes without labels"] == 0


def test_no_taxonomy_of_elsewhere_names_a_path_or_a_command(tmp_path: Path) -> None:
    run = Recording(Store(tmp_path), "agent")
    where, episode = run.add("a", 0.0).split("/")
    names = ("../../x", "..-..-x", "x}\\input{/etc/passwd", "é" * 500)
    ledger_of(run.store).add(
        Label(run=where, episode=episode, taxonomy=name, version=1, question="q", code="c", annotator="a")
        for name in names
    )
    ledger_of(run.store).add(Done(run=where, episode=episode, taxonomy=name, annotator="a") for name in names)
    made = [one.name for one in paper_figures(run.store, [run.run], ["errors"]).figures]
    assert len(set(made)) == len(names)
    assert all(re.fullmatch(r"errors-[a-z0-9-]{1,60}", one) for one in made)


def test_a_task_without_a_score_has_a_letter_and_no_shade(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other = Recording(store, "one"), Recording(store, "other")
    one.add("a", 1.0)
    one.add("b", Score(status=Status.PENDING))
    one.add("c", Score(status=Status.ERROR))
    other.add("a", 0.0)
    other.add("b", None)
    figure = one_figure(store, [one.run, other.run], "tasks")
    assert isinstance(figure.plot, Matrices)
    cells = [[(cell.shade, cell.text) for cell in row] for row in figure.plot.matrices[0].cells]
    assert cells == [[(1.0, "1"), (0.0, "0")], [(None, "p"), (None, "n")], [(None, "e"), (None, "")]]
    assert [row.cells[3] for row in figure.table.rows] == [1.0, 0.0, None, None, None, None]
    assert sum(int(str(row.cells[4])) for row in figure.table.rows) == 5


def acted(store: Store, run: str, actor: str, task: str, *clicks: str) -> None:
    """An episode of clicks, the last step a stop."""
    header = EpisodeHeader(
        run="", episode="", task=Task(benchmark="b", name=task, intent="i"), actor=actor, dialect="d"
    )
    recorder = store.recorder(run, header, durable=False)
    recorder.write(Step(index=0, at="", url="http://a/"))
    who = "human" if actor == "human" else "agent"
    for index, name in enumerate(clicks, 1):
        target = ElementRef(id=index, role="link", name=name)
        action = Stop(answer="") if name == "stop" else Click(target=target)
        recorder.write(Step(index=index, at="", actor=who, action=action, ok=True, url=f"http://a/{name}"))
    recorder.finish(Score(status=Status.SCORED, value=1.0), "done")


def test_who_ends_before_it_parts_is_censored(tmp_path: Path) -> None:
    store = Store(tmp_path)
    person, agent = store.start_run("b", "human", 0), store.start_run("b", "agent", 0)
    for task in ("same", "parts", "ends"):
        acted(store, person, "human", task, "red", "green", "blue", "stop")
    acted(store, agent, "agent", "same", "red", "green", "blue", "stop")
    acted(store, agent, "agent", "parts", "red", "yellow", "orange")
    acted(store, agent, "agent", "ends", "red", "green")
    acted(store, agent, "agent", "other", "red")
    figure = one_figure(store, [person, agent], "survival")
    assert isinstance(figure.plot, Curves)
    curve = figure.plot.curves[0][1]
    assert (curve.times, curve.events, curve.censored) == ((2, 4), (1, 0), (1, 1))
    assert curve.shares == pytest.approx((2 / 3, 2 / 3))
    assert figure.left_out["episodes of tasks that the reference lacks"] == 1
    assert "a person" in figure.caption
    parts = one_figure(store, [person, agent], "partings")
    assert isinstance(parts.plot, Histogram)
    assert parts.plot.counts == (("agent", (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2)),)
    assert one_figure(store, [agent, person], "partings", reference=agent).plot is not None


def test_new_codes_are_counted_in_runs_of_several_benchmarks(tmp_path: Path) -> None:
    """Labels can be counted across benchmarks, scores can't."""
    store = Store(tmp_path)
    first, second, third = Recording(store, "x", "b"), Recording(store, "x", "c"), Recording(store, "x", "d")
    ledger = ledger_of(store)
    for run, codes in ((first, ("planning", "form")), (second, ("form",)), (third, ("budget",))):
        place = tuple(run.add("a", 0.0).split("/"))
        given = [
            msgspec.structs.replace(label("a", code, episode=(place[0], place[1])), step=at)
            for at, code in enumerate(codes)
        ]
        done = Done(run=place[0], episode=place[1], taxonomy="merged", annotator="a")
        ledger.add([*given, done])
    figure = one_figure(store, [first.run, second.run], "saturation")
    assert isinstance(figure.plot, Growth)
    assert figure.plot.new == (2, 0)  # the third run isn't asked about
    assert [row.cells[3] for row in figure.table.rows] == [2, 2]
    with pytest.raises(UsageError, match="different benchmarks"):
        one_figure(store, [first.run, second.run], "forest")


def test_what_has_nothing_to_show_says_why(tmp_path: Path) -> None:
    run = Recording(Store(tmp_path), "agent")
    run.add("a", None)
    figures = paper_figures(run.store, [run.run]).figures
    assert len(figures) == len(KINDS)
    assert [one.name for one in figures if not one.empty] == ["tasks"]
    assert all(one.plot is None for one in figures if one.empty)
    with pytest.raises(UsageError, match="none of the runs"):
        paper_figures(run.store, [run.run], ["survival"], reference="x")
