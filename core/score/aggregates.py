"""Figures of a benchmark's own over many scored episodes: completion rate, answer rate, per field type."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from webbench.core.score.score import Score
from webbench.core.task import Task


class Attempt(msgspec.Struct, frozen=True):
    """One episode's task and what it came to; `score` holds the other rule sets beside it."""

    task: Task
    score: Score

    def under(self, rules: str) -> Score:
        """The score under a rule set; the headline's own where the set isn't there."""
        return next((one for one in (self.score, *self.score.beside) if one.rules == rules), self.score)


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
