"""`webbench-tui score webarena`: answers, final addresses and recorded page contents against the tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from pathlib import Path

import msgspec

from webbench.benchmarks.webarena.editions import Edition, open_edition
from webbench.benchmarks.webarena.predictions import task_name
from webbench.benchmarks.webarena.rules import RULE_SETS, VERIFIED
from webbench.benchmarks.webarena.sites import addresses_set
from webbench.benchmarks.webarena.success_rates import (
    ACHIEVABLE,
    GROUPINGS,
    UNACHIEVABLE,
    Scored,
    reasons,
    rows,
    summary,
)
from webbench.benchmarks.webarena.tasks import NAME
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge.asking import answered, recorded_replies
from webbench.core.judge.contract import Judge
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.offline.problems import failed_score
from webbench.core.rule_sets import require_rules
from webbench.core.score import Status
from webbench.core.task import Problem, Task


def create(data: Path | None = None) -> WebArenaScorer:
    """The scorer over a task file or folder, else the one that `WEBBENCH_DATA_WEBARENA` names."""
    return WebArenaScorer(data)


class WebArenaScorer:
    """Success rates of a file of predictions."""

    name = NAME
    rule_sets: tuple[str, ...] = (*RULE_SETS, VERIFIED)

    def __init__(self, data: Path | None = None) -> None:
        self.data = data

    async def score(
        self, predictions: PredictionFile, *, tasks: Path | None, rules: str, judge: Judge | None
    ) -> OfflineReport:
        """See `OfflineScorer`. Sites' addresses come from the predictions or the settings.

        Under `verified` the tasks are those of WebArena-Verified, and no other rule set stands beside it.
        """
        require_rules(rules, self.rule_sets, "WebArena")
        edition = open_edition(rules, tasks or self.data, Path(predictions.name).parent)
        usable, problems = _matched(predictions, edition)
        items = await asyncio.gather(*(_scored(one, edition, rules, judge) for one in usable))
        problems += [
            failed_score(one.place, item.score)
            for one, item in zip(usable, items, strict=True)
            if item.score.status is Status.ERROR
        ]
        count, others = len(edition.tasks), [name for name in edition.rule_sets if name != rules]
        return OfflineReport(
            benchmark=self.name,
            rules=rules,
            summary=summary(items, rules, count),
            beside={name: summary(items, name, count) for name in others},
            groups={name: rows(name, items, rules) for name in GROUPINGS} | {"reason": reasons(items, rules)},
            items=tuple(map(_item, items)),
            problems=tuple(problems),
        )


class _Usable(msgspec.Struct, frozen=True):
    """A prediction that can be scored, and where it stands."""

    place: str
    task: Task
    evidence: JsonObject


async def _scored(one: _Usable, edition: Edition, rules: str, judge: Judge | None) -> Scored:
    evidence = await answered(edition.evaluator, one.task, one.evidence, judge, rules)
    score = edition.evaluator.score(one.task, evidence, rules)
    achievable = UNACHIEVABLE if edition.unachievable(one.task) else ACHIEVABLE
    return Scored(one.task, score, achievable, recorded_replies(evidence))


def _matched(predictions: PredictionFile, edition: Edition) -> tuple[list[_Usable], list[Problem]]:
    """The predictions with their tasks, and what is wrong with the other lines."""
    problems = list(predictions.problems)
    sites = addresses_set()
    usable: list[_Usable] = []
    first: dict[str, str] = {}
    for record in predictions.records:
        place = predictions.place(record)
        try:
            task = _task(record, edition.tasks)
            evidence = edition.evidence(record.data, sites)
        except BadData as error:
            problems.append(Problem(place, str(error), "error"))
            continue
        if task.name in first:
            told = f"a second prediction for task {task.name}; the one at {first[task.name]} is used"
            problems.append(Problem(place, told, "error"))
            continue
        first[task.name] = place
        usable.append(_Usable(place, task, evidence))
    return usable, [*problems, *(one for one in edition.problems if _matters(one, first))]


def _matters(problem: Problem, names: Container[str]) -> bool:
    """Whether what is wrong with the task file concerns more than tasks that nobody predicted."""
    about = problem.message.partition(":")[0].removeprefix("task ")
    return problem.severity == "error" or about in names


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
        replies=item.replies,
    )
