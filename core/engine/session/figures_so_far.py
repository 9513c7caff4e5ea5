"""What a person's sitting has come to so far: the benchmark's own figures over its episodes."""

from __future__ import annotations

from webbench.core.benchmark.benchmark import Benchmark, figures_of
from webbench.core.engine.wire.messages import FiguresCounted
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import not_scored
from webbench.core.trajectory import EpisodeHeader


class FiguresSoFar:
    """The attempts of one sitting, run by run, so that people and agents are never mixed.

    Attributes:
        latest: the figures of the run in which an episode ended last, by benchmark.
    """

    def __init__(self) -> None:
        self.latest: dict[str, FiguresCounted] = {}
        self._attempts: dict[str, list[Attempt]] = {}

    def add(self, benchmark: Benchmark, ended: EpisodeHeader) -> FiguresCounted | None:
        """The figures with one more episode; None where the benchmark has none of its own."""
        attempts = self._attempts.setdefault(ended.run, [])
        attempts.append(Attempt(ended.task, ended.score or not_scored("it has no score", rules=ended.rules)))
        figures = figures_of(benchmark, attempts, ended.rules)
        if not figures:
            return None
        told = FiguresCounted(benchmark=benchmark.name, episodes=len(attempts), figures=figures)
        self.latest[benchmark.name] = told
        return told
