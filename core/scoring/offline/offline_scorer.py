"""An offline scorer: what scoring predictions of one benchmark takes and gives.

The entry point group `webbench.scorers` names callables `create(data: Path | None) -> OfflineScorer`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, cast

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import SCORERS
from webbench.core.score.score import Score


class Record(msgspec.Struct, frozen=True):
    """One prediction as it stands in the file."""

    line: int
    """From 1; of a JSON array the line on which the element begins."""
    data: JsonObject


class PredictionFile(msgspec.Struct, frozen=True):
    """What could be read of a file, and what could not."""

    name: str
    """As given, "-" for standard input; for messages."""
    records: tuple[Record, ...]
    problems: tuple[Problem, ...] = ()

    def place(self, record: Record) -> str:
        """ "answers.jsonl:12", for a problem's `where`."""
        return f"{self.name}:{record.line}"


class ItemScore(msgspec.Struct, frozen=True, kw_only=True):
    """One prediction's score.

    Attributes:
        groups: what it is counted under besides the whole: {"difficulty": "hard", "split": "test_web"}.
        note: what a reader has to know: "gold answer taken from the prediction".
        left_out: it is not scored because a rule of the evaluation leaves it out, which is no failure.
        replies: of judges, by question key, as they stand in the evidence (see `core.judge.contract`).
    """

    id: str
    score: Score
    groups: dict[str, str] = {}
    note: str = ""
    left_out: bool = False
    replies: dict[str, Json] = {}


class OfflineReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file's result.

    Attributes:
        summary: the headline figures by name, in the order in which they are shown; None = not defined.
        groups: per grouping one row per group: {"difficulty": [{"difficulty": "hard", "n": 3, ...}]}.
        beside: the summary under other rule sets, by rule set.
        problems: lines that could not be used ("error") and what else is to be known.
    """

    benchmark: str
    rules: str
    summary: dict[str, Json]
    groups: dict[str, list[JsonObject]] = {}
    beside: dict[str, dict[str, Json]] = {}
    items: tuple[ItemScore, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        """Short: when a loop ends, asyncio writes out the result of its task, which may be many megabytes."""
        return f"<OfflineReport of {len(self.items)} items, {self.benchmark}, {self.rules}>"


class OfflineScorer(Protocol):
    """Scores files of predictions of one benchmark, without a browser."""

    name: str
    rule_sets: tuple[str, ...]

    async def score(
        self, predictions: PredictionFile, *, tasks: Path | None, rules: str, judge: Judge | None
    ) -> OfflineReport:
        """Score what can be scored; what can't be used becomes a `Problem` of severity "error".

        Args:
            tasks: file or folder of the tasks; None = the benchmark's data folder.
            rules: one of `rule_sets`; the others stand beside it.
            judge: None = nobody is asked, and what needs a verdict is pending.

        Raises `BadData` where `tasks` itself can't be used, `UsageError` for unknown rules.
        """
        ...


class OfflineScorerFactory(Protocol):
    def __call__(self, data: Path | None = None) -> OfflineScorer: ...


def find_scorer(name: str, data: Path | None = None) -> OfflineScorer:
    """What scores predictions of this benchmark from a file. Raises as `find_benchmark` does."""
    factory = cast("OfflineScorerFactory", entry_points.find(SCORERS, "scorer of predictions", name)())
    return entry_points.make(SCORERS, name, lambda: factory(data))
