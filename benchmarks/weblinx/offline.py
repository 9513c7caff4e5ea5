"""Scoring a file of results: `webbench-tui score weblinx --predictions FILE --tasks DEMONSTRATIONS`.

A prediction is {"demo_name", "turn_index", "output_predicted"}; "demo", "turn" and "output" are taken too.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.aggregate import REPORTED
from webbench.benchmarks.weblinx.averages import Averages, averages_of
from webbench.benchmarks.weblinx.demonstrations import ALL, Demonstrations, open_demonstrations
from webbench.benchmarks.weblinx.evaluate import WebLinxEvaluator
from webbench.benchmarks.weblinx.evidence import evidence_of
from webbench.benchmarks.weblinx.files import GET_DATA
from webbench.benchmarks.weblinx.results import demo_named, recorded_turn
from webbench.benchmarks.weblinx.rules import RULE_SETS
from webbench.benchmarks.weblinx.tasks import task_of
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge.contract import Judge
from webbench.core.locations import benchmark_data
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.offline.problems import failed_score
from webbench.core.rule_sets import require_rules
from webbench.core.score import Score, Status
from webbench.core.task import Problem, Task

TOGETHER = 500
"""Turns whose texts are compared at once: more save nothing, and what was read of them is kept meanwhile."""
_DEMO = ("demo_name", "demo")
_TURN = ("turn_index", "turn")
_OUTPUT = ("output_predicted", "output", "prediction")


def create(data: Path | None = None) -> WebLinxScorer:
    """The scorer over a folder of demonstrations, else the one that `WEBBENCH_DATA_WEBLINX` names."""
    return WebLinxScorer(benchmark_data("weblinx", data))


class WebLinxScorer:
    name = "weblinx"
    rule_sets: tuple[str, ...] = RULE_SETS

    def __init__(self, data: Path | None) -> None:
        self.data = data

    async def score(
        self,
        predictions: PredictionFile,
        *,
        tasks: Path | None,
        rules: str,
        judge: Judge | None,  # noqa: ARG002
    ) -> OfflineReport:
        """The published averages over all turns and per split, then every turn.

        Raises `BadData` for demonstrations that can't be used, `UsageError` for none and for unknown rules.
        """
        require_rules(rules, RULE_SETS, "WebLINX")
        path = tasks or self.data
        if path is None:
            raise UsageError("there are no demonstrations to compare with", GET_DATA)
        scoring = _Scoring(predictions, open_demonstrations(path.expanduser()), rules)
        with _no_collection():
            for start in range(0, len(predictions.records), TOGETHER):
                scoring.add(predictions.records[start : start + TOGETHER])
            return scoring.report()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Scores hold no cycles, and to look for some among so many objects takes a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # What is new counts as old, or the first collection would walk through all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


class _Turn(msgspec.Struct, frozen=True):
    """A prediction that can be scored."""

    record: Record
    task: Task
    evidence: JsonObject
    splits: Sequence[str]


class _Scoring:
    """The predictions of one file, taken up and scored some at a time."""

    def __init__(self, predictions: PredictionFile, demonstrations: Demonstrations, rules: str) -> None:
        self._predictions, self._demonstrations, self._rules = predictions, demonstrations, rules
        self._lines: dict[tuple[str, int], int] = {}
        self._items: list[ItemScore] = []
        self._splits: list[Sequence[str]] = []
        """Of each item."""
        self._problems = list(predictions.problems)

    def add(self, records: Sequence[Record]) -> None:
        """Score them, and keep the scores and what is wrong with the others in their order."""
        taken = [self._taken(record) for record in records]
        turns = [(one.task, one.evidence) for one in taken if isinstance(one, _Turn)]
        scores = iter(WebLinxEvaluator().score_many(turns, self._rules))
        for one in taken:
            if isinstance(one, _Turn):
                self._keep(one, next(scores))
            else:
                self._problems.append(one)

    def _taken(self, record: Record) -> _Turn | Problem:
        try:
            return self._turn(record)
        except BadData as error:
            return Problem(self._predictions.place(record), str(error), "error")

    def _turn(self, record: Record) -> _Turn:
        """Raises `BadData` for a line that can't be used."""
        name, index, output = _prediction(record.data)
        name = demo_named(name, self._demonstrations)
        turn = recorded_turn(name, index, self._demonstrations)
        if (name, index) in self._lines:
            first = self._lines[name, index]
            raise BadData(f"a second prediction for turn {index} of {name}: the one of line {first} counts")
        self._lines[name, index] = record.line
        task = task_of(turn, self._demonstrations)
        return _Turn(record, task, evidence_of(output, turn.page), self._demonstrations.splits_of(name))

    def _keep(self, turn: _Turn, score: Score) -> None:
        if score.status is Status.ERROR:
            place = self._predictions.place(turn.record)
            self._problems.append(failed_score(place, score))
        groups = {"split": turn.task.split, "intent": turn.task.kind}
        left_out = score.status is Status.NOT_SCORED
        self._items.append(ItemScore(id=turn.task.id, score=score, groups=groups, left_out=left_out))
        self._splits.append(turn.splits)

    def report(self) -> OfflineReport:
        self._tell_what_has_no_average()
        other = next(rules for rules in RULE_SETS if rules != self._rules)
        mine = {split: self._averages(split, self._rules) for split in self._all_splits()}
        return OfflineReport(
            benchmark="weblinx",
            rules=self._rules,
            summary=mine[ALL].headline() | {"unusable": self._unusable()},
            groups={
                "split": [{"split": split} | averages.headline() for split, averages in mine.items()],
                "record": [
                    {"split": split} | row for split, averages in mine.items() for row in averages.records()
                ],
            },
            beside={other: self._averages(ALL, other).headline()},
            items=tuple(self._items),
            problems=tuple(self._problems),
        )

    def _tell_what_has_no_average(self) -> None:
        """As published; the paper has intent match and exact match for every intent."""
        intents = [
            item.groups["intent"]
            for item in self._items
            if item.score.status is Status.SCORED and item.groups["intent"] not in REPORTED
        ]
        for intent in dict.fromkeys(intents):
            message = f"turns of intent {intent} are in no published average: {intents.count(intent)} here"
            self._problems.append(Problem(self._predictions.name, message, "note"))

    def _all_splits(self) -> list[str]:
        """Those of which a turn was predicted, in the order of the split file, after `ALL`."""
        used = {split for splits in self._splits for split in splits}
        return list(dict.fromkeys([ALL, *(split for split in self._demonstrations.splits if split in used)]))

    def _averages(self, split: str, rules: str) -> Averages:
        """Of a split's turns under a rule set."""
        return averages_of(
            [
                (item.groups["intent"], _under(item.score, rules))
                for item, splits in zip(self._items, self._splits, strict=True)
                if split == ALL or split in splits
            ],
            rules,
        )

    def _unusable(self) -> int:
        unread = sum(problem.severity == "error" for problem in self._predictions.problems)
        return unread + len(self._predictions.records) - len(self._items)


def _under(score: Score, rules: str) -> Score:
    return score if score.rules == rules else next(one for one in score.beside if one.rules == rules)


def _prediction(data: JsonObject) -> tuple[str, int, str]:
    """Demonstration, turn, output. Raises `BadData` naming what is missing or of another type."""
    name, index, output = (_first(data, names) for names in (_DEMO, _TURN, _OUTPUT))
    if not isinstance(name, str) or not name:
        raise BadData(f'"{_DEMO[0]}" has to be the name of a demonstration, it is {_told(name)}')
    if not isinstance(index, int) or isinstance(index, bool) or index < 0:
        raise BadData(f'"{_TURN[0]}" of {name} has to be a whole number from 0, it is {_told(index)}')
    if not isinstance(output, str):
        raise BadData(f'"{_OUTPUT[0]}" of turn {index} of {name} has to be text, it is {_told(output)}')
    return name, index, output


def _first(data: JsonObject, names: Sequence[str]) -> Json:
    for name in names:
        if name in data:
            return data[name]
    return None


def _told(value: Json) -> str:
    return "missing" if value is None else repr(value)[:40]
