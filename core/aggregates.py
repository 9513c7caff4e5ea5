"""Figures of a benchmark's own over many scored episodes: completion rate, answer rate, per field type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from webbench.core.json_types import Json
from webbench.core.score import Check, Score
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


class Measured(msgspec.Struct, frozen=True):
    """One value of an episode that belongs to a group: a field of a type, a turn of an intent.

    Attributes:
        metric: which of several values, "" where there is one.
    """

    group: str
    value: float
    metric: str = ""


class Breakdown(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the literature: what episodes come to by the parts that their scores are made of.

    Attributes:
        name: of the groups, for the first column ("field type").
        source: the table that it follows ("TurkingBench, table 5"), "" for none.
        measures: the values of one attempt under a rule set.
    """

    name: str
    source: str
    measures: Callable[[Attempt, str], Iterable[Measured]]


@runtime_checkable
class Breakdowns(Protocol):
    """What a `Benchmark` may offer besides: the tables of its literature."""

    def breakdowns(self) -> Sequence[Breakdown]:
        """In the order in which they are shown."""


def breakdowns_of(benchmark: Benchmark) -> Sequence[Breakdown]:
    """The benchmark's own tables; empty where it offers none."""
    return benchmark.breakdowns() if isinstance(benchmark, Breakdowns) else ()


@runtime_checkable
class TellsSteps(Protocol):
    """What a `Benchmark` may offer besides, where its checks look at a whole episode's steps."""

    def step_reached(self, check: Check) -> int | None:
        """The step after which the check was met in full; None where it never was, or doesn't tell."""


def step_reached(benchmark: Benchmark | None, check: Check) -> int | None:
    """What the benchmark reads out of the check; None where it reads nothing."""
    return benchmark.step_reached(check) if isinstance(benchmark, TellsSteps) else None
