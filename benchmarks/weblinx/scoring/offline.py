"""Offline scoring of `webbench-tui score weblinx --predictions FILE --tasks DEMONSTRATIONS`.

A prediction is {"demo_name", "turn_index", "output_predicted"}; "demo", "turn" and "output" are taken too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.counted_scores import under
from webbench.benchmarks.common.offline import Prediction, Scored, Scorer
from webbench.benchmarks.weblinx.demonstrations.demonstrations import ALL, Demonstrations, open_demonstrations
from webbench.benchmarks.weblinx.scoring.aggregate import REPORTED, Averages, averages_of
from webbench.benchmarks.weblinx.scoring.evaluate import WebLinxEvaluator
from webbench.benchmarks.weblinx.scoring.evidence import evidence_of
from webbench.benchmarks.weblinx.scoring.predictions import demo_named, recorded_turn
from webbench.benchmarks.weblinx.scoring.rules import RULE_SETS
from webbench.benchmarks.weblinx.tasks import task_of
from webbench.benchmarks.weblinx.turns.files import GET_DATA
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.settings.locations import benchmark_data

NAME = "weblinx"
_DEMO = ("demo_name", "demo")
_TURN = ("turn_index", "turn")
_OUTPUT = ("output_predicted", "output", "prediction")


def create(data: Path | None = None) -> Scorer:
    """The scorer over a folder of demonstrations, else the one that `WEBBENCH_DATA_WEBLINX` names."""
    return Scorer(NAME, "WebLINX", RULE_SETS, benchmark_data(NAME, data), _open_turns)


def _open_turns(predictions: PredictionFile, path: Path | None, rules: str) -> _Turns:
    if path is None:
        raise UsageError("there are no demonstrations to compare with", GET_DATA)
    return _Turns(predictions.name, open_demonstrations(path.expanduser()), rules)


class _Turns:
    """The published averages over all turns and per split."""

    rule_sets = RULE_SETS
    problems: Sequence[Problem] = ()

    def __init__(self, file: str, demonstrations: Demonstrations, rules: str) -> None:
        self._file, self._demonstrations, self._rules = file, demonstrations, rules
        self._evaluator = WebLinxEvaluator()

    def read(self, record: Record) -> Prediction:
        name, index, output = _named_turn(record.data)
        name = demo_named(name, self._demonstrations)
        turn = recorded_turn(name, index, self._demonstrations)
        task = task_of(turn, self._demonstrations)
        return Prediction(key=(name, index), task=task, evidence=evidence_of(output, turn.page))

    async def scored(
        self,
        predictions: Sequence[Prediction],
        rules: str,
        judge: Judge | None,  # rules alone decide
    ) -> list[Scored]:
        scores = self._evaluator.score_many([(one.task, one.evidence) for one in predictions], rules)
        return [
            Scored(
                task=one.task,
                score=score,
                groups={"split": one.task.split, "intent": one.task.kind},
                left_out=score.status is Status.NOT_SCORED,
            )
            for one, score in zip(predictions, scores, strict=True)
        ]

    def summary(self, items: Sequence[Scored], rules: str, unusable: int) -> dict[str, Json]:
        """Unusable lines are told once, beside the rule set that was asked for."""
        headline = self._averages(items, ALL, rules).headline()
        return headline | {"unusable": unusable} if rules == self._rules else headline

    def groups(self, items: Sequence[Scored]) -> dict[str, list[JsonObject]]:
        by_split = {split: self._averages(items, split, self._rules) for split in self._all_splits(items)}
        return {
            "split": [{"split": split} | averages.headline() for split, averages in by_split.items()],
            "record": [
                {"split": split} | row for split, averages in by_split.items() for row in averages.records()
            ],
        }

    def remarks(self, items: Sequence[Scored]) -> list[Problem]:
        """Turns in no average, as published; the paper has intent match and exact match for every intent."""
        intents = [
            item.task.kind
            for item in items
            if item.score.status is Status.SCORED and item.task.kind not in REPORTED
        ]
        return [
            Problem(
                self._file,
                f"turns of intent {intent} are in no published average: {intents.count(intent)} here",
                "note",
            )
            for intent in dict.fromkeys(intents)
        ]

    def _all_splits(self, items: Sequence[Scored]) -> list[str]:
        """Those of which a turn was predicted, in the order of the split file, after `ALL`."""
        used = {split for name in {item.task.name for item in items} for split in self._splits_of(name)}
        return list(dict.fromkeys([ALL, *(split for split in self._demonstrations.splits if split in used)]))

    def _splits_of(self, name: str) -> Sequence[str]:
        return self._demonstrations.splits_of(name)

    def _averages(self, items: Sequence[Scored], split: str, rules: str) -> Averages:
        """Of a split's turns under a rule set."""
        return averages_of(
            [
                (item.task.kind, under(item.score, rules))
                for item in items
                if split == ALL or split in self._splits_of(item.task.name)
            ],
            rules,
        )


def _named_turn(data: JsonObject) -> tuple[str, int, str]:
    """Demonstration, turn, output. Raises `BadData` naming what is missing or of another type."""
    name, index, output = (_first(data, names) for names in (_DEMO, _TURN, _OUTPUT))
    if not isinstance(name, str) or not name:
        raise BadData(f'"{_DEMO[0]}" has to be the name of a demonstration, it is {_value_text(name)}')
    if not isinstance(index, int) or isinstance(index, bool) or index < 0:
        raise BadData(f'"{_TURN[0]}" of {name} has to be a whole number from 0, it is {_value_text(index)}')
    if not isinstance(output, str):
        raise BadData(f'"{_OUTPUT[0]}" of turn {index} of {name} has to be text, it is {_value_text(output)}')
    return name, index, output


def _first(data: JsonObject, names: Sequence[str]) -> Json:
    for name in names:
        if name in data:
            return data[name]
    return None


def _value_text(value: Json) -> str:
    return "missing" if value is None else repr(value)[:40]
