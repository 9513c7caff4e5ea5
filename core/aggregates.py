"""Figures of a benchmark's own over many scored episodes: completion rate, answer rate, per split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from webbench.core.json_types import Json
from webbench.core.score import Score
from webbench.core.task import Benchmark, Task


class Attempt(msgspec.Struct, frozen=True):
    """One episode's task and what it came to; `score` holds the other rule sets beside it."""

    task: Task
    score: Score

    def under(self, rules: str) -> Score:
        """The score under a rule set; the headline's own where the set isn't there."""
        return next((one for one in (self.score, *self.score.beside) if one.rules == rules), self.score)


@runtime_checkable
class Aggregates(Protocol):
    """What a `Benchmark` may offer besides: its own headline figures, as its literature has them."""

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """By name, in the order in which they are shown; None = not defined.

        What waits for a judge is None under its name, with `<name>_scored` and `<name>_interval` beside.
        """


def figures_of(benchmark: Benchmark, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The benchmark's own figures; empty where it offers none."""
    return benchmark.figures(attempts, rules) if isinstance(benchmark, Aggregates) else {}
