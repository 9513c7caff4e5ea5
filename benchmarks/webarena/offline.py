"""`webbench-tui score webarena`: answers, final addresses and recorded page contents against the tasks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.benchmarks.webarena.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.predictions import evidence_of, task_name
from webbench.benchmarks.webarena.rules import RULE_SETS
from webbench.benchmarks.webarena.sites import addresses_of
from webbench.benchmarks.webarena.success_rates import GROUPINGS, Scored, rows, summary
from webbench.benchmarks.webarena.tasks import NAME, LoadedTasks, load_tasks
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge.asking import answered
from webbench.core.judge.contract import Judge
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.score import Score, Status
from webbench.core.task import Problem, Task


def create(data: Path | None = None) -> WebArenaScorer:
    """The scorer over a task file or folder, else the one that `WEBBENCH_DATA_WEBARENA` names."""
    return WebArenaScorer(data)


class WebArenaScorer:
    """Success rates of a file of predictions."""

    name = NAME
    rule_sets: tuple[str, ...] = RULE_SETS

    def __init__(self, data: Path | None = None) -> None:
        self.data = data
        self.evaluator = WebArenaEvaluator()

    async def score(
        self, predictions: PredictionFile, *, tasks: Path | None, rules: str, judge: Judge | None
    ) -> OfflineReport:
        """See `OfflineScorer`. Sites' addresses come from the predictions or `WEBBENCH_WEBARENA_<SITE>`."""
        if rules not in RULE_SETS:
            raise UsageError(f'no rule set "{rules}" in WebArena', f"there are {', '.join(RULE_SETS)}")
        loaded = load_tasks(tasks or self.data)
        usable, problems = _matched(predictions, loaded)
        scores = await asyncio.gather(*(self._score(one.task, one.evidence, rules, judge) for one in usable))
        items = [Scored(one.task, score) for one, score in zip(usable, scores, strict=True)]
        problems += [
            Problem(one.place, f"not scored: {score.reason}")
            for one, score in zip(usable, scores, strict=True)
            if score.status is Status.ERROR
        ]
        return OfflineReport(
            benchmark=self.name,
            rules=rules,
            summary=summary(items, rules, len(loaded.tasks)),
            beside={name: summary(items, name, len(loaded.tasks)) for name in RULE_SETS if name != rules},
            groups={name: rows(name, items, rules) for name in GROUPINGS},
            items=tuple(_item(item) for item in items),
            problems=tuple(problems),
        )

    async def _score(self, task: Task, evidence: JsonObject, rules: str, judge: Judge | None) -> Score:
        known = await answered(self.evaluator, task, evidence, judge, rules)
        return self.evaluator.score(task, known, rules)


class _Usable(msgspec.Struct, frozen=True):
    """A prediction that can be scored, and where it stands."""

    place: str
    task: Task
    evidence: JsonObject


def _matched(predictions: PredictionFile, loaded: LoadedTasks) -> tuple[list[_Usable], list[Problem]]:
    """The predictions with their tasks, and what is wrong with the other lines."""
    problems = [*predictions.problems, *(one for one in loaded.problems if one.severity != "note")]
    known, sites = loaded.by_name(), addresses_of()
    usable: list[_Usable] = []
    first: dict[str, str] = {}
    for record in predictions.records:
        place = predictions.place(record)
        try:
            task = _task(record, known)
            evidence = evidence_of(record.data, sites)
        except BadData as error:
            problems.append(Problem(place, str(error), "error"))
            continue
        if task.name in first:
            told = f"a second prediction for task {task.name}; the one at {first[task.name]} is used"
            problems.append(Problem(place, told, "error"))
            continue
        first[task.name] = place
        usable.append(_Usable(place, task, evidence))
    return usable, problems


def _task(record: Record, known: dict[str, Task]) -> Task:
    name = task_name(record.data)
    if name not in known:
        raise BadData(f"there is no task {name}")
    return known[name]


def _item(item: Scored) -> ItemScore:
    return ItemScore(
        id=item.task.id,
        score=item.score,
        groups={name: group(item) for name, group in GROUPINGS.items()},
    )
