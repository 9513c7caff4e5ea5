"""The figures of a sitting grow with every episode, and people and agents are never mixed."""

from __future__ import annotations

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.session.figures_so_far import FiguresSoFar
from webbench.core.score.score import Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def ended(run: str, value: float | None, answered: float) -> EpisodeHeader:
    score = (
        Score(status=Status.SCORED, value=value, metrics={"answered": answered})
        if value is not None
        else None
    )
    task = Task(benchmark="assistantbench", name="q1")
    return EpisodeHeader(run=run, episode="0", task=task, actor="human", dialect="webarena", score=score)


def test_figures_are_counted_run_by_run() -> None:
    benchmark, sitting = find_benchmark("assistantbench"), FiguresSoFar()
    assert sitting.latest == {}
    sitting.add(benchmark, ended("person", 1.0, 1.0))
    sitting.add(benchmark, ended("agent", 0.0, 1.0))
    sitting.add(benchmark, ended("person", None, 0.0))
    told = sitting.add(benchmark, ended("person", 0.0, 0.0))
    assert told == sitting.latest["assistantbench"]
    assert told is not None
    assert told.episodes == 3
    figures = told.figures
    assert (figures["accuracy"], figures["answer_rate"], figures["precision"]) == (0.5, 0.5, 1.0)
    assert (figures["n"], figures["not_scored"]) == (2, 1)


def test_a_benchmark_without_figures_tells_none() -> None:
    sitting = FiguresSoFar()
    assert sitting.add(find_benchmark("demo"), ended("person", 1.0, 1.0)) is None
    assert sitting.latest == {}
