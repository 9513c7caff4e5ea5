"""Offline scoring of `webbench-tui score webarena`: answers, final addresses and recorded page contents.

There are two editions of the tasks. The original one is scored by its rule sets `published` and `paper`.
WebArena-Verified has tasks, evidence and an evaluator of its own, under the rule set `verified`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.offline import AsksAndScores, Prediction, Scored, Scorer, judged_scores
from webbench.benchmarks.webarena.scoring.aggregate import (
    ACHIEVABLE,
    GROUPINGS,
    UNACHIEVABLE,
    groups_of,
    reasons,
    rows,
    summary,
)
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.scoring.predictions import evidence_of, task_name, verified_evidence_of
from webbench.benchmarks.webarena.scoring.rules import RULE_SETS, VERIFIED
from webbench.benchmarks.webarena.scoring.string_match import is_unachievable
from webbench.benchmarks.webarena.sites import addresses_set
from webbench.benchmarks.webarena.tasks import DATA_VARIABLE, NAME, load_tasks
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

GET_VERIFIED = (
    "clone github.com/ServiceNow/webarena-verified and name its webarena-verified.json, or a folder that "
    f"holds it, with --tasks, --data or {DATA_VARIABLE}"
)

ReadEvidence = Callable[[JsonObject, Mapping[str, str]], JsonObject]


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """Tasks by name with what scoring them takes.

    Attributes:
        rule_sets: those that every score holds.
        evidence: a prediction's evidence, from its data and the sites' addresses; raises `BadData`.
        unachievable: whether the right answer is that the task can't be done.
    """

    tasks: dict[str, Task]
    problems: tuple[Problem, ...]
    rule_sets: tuple[str, ...]
    evaluator: AsksAndScores
    evidence: ReadEvidence
    unachievable: Callable[[Task], bool]


def _open_edition(rules: str, path: Path | None, recordings: Path) -> Edition:
    """The edition that a rule set belongs to.

    Args:
        path: file or folder of its tasks; None = the one that `WEBBENCH_DATA_WEBARENA` names.
        recordings: the folder that network logs are named from.

    Raises `BadData` where there are no readable tasks.
    """
    return _verified(path, recordings) if rules == VERIFIED else _original(path)


def _original(path: Path | None) -> Edition:
    loaded = load_tasks(path)
    return Edition(
        tasks={task.name: task for task in loaded.tasks},
        problems=tuple(problem for problem in loaded.problems if problem.severity != "note"),
        rule_sets=RULE_SETS,
        evaluator=WebArenaEvaluator(),
        evidence=evidence_of,
        unachievable=lambda task: is_unachievable(task.gold),
    )


def _verified(path: Path | None, recordings: Path) -> Edition:
    from webbench.benchmarks.webarena.verified.evaluate import VerifiedEvaluator
    from webbench.benchmarks.webarena.verified.tasks import expects_failure, open_tasks

    named = benchmark_data("webarena", path)
    if named is None:
        raise BadData("the tasks of WebArena-Verified are not set", GET_VERIFIED)
    loaded = open_tasks(named)
    return Edition(
        tasks={task.name: task for task in loaded.tasks.values()},
        problems=loaded.problems,
        rule_sets=(VERIFIED,),
        evaluator=VerifiedEvaluator(),
        evidence=lambda data, sites: verified_evidence_of(data, sites, recordings),
        unachievable=expects_failure,
    )


def create(data: Path | None = None) -> Scorer:
    """The scorer over a task file or folder, else the one that `WEBBENCH_DATA_WEBARENA` names."""
    return Scorer(NAME, "WebArena", (*RULE_SETS, VERIFIED), data, _open_predictions)


def _open_predictions(predictions: PredictionFile, path: Path | None, rules: str) -> _Predictions:
    return _Predictions(_open_edition(rules, path, Path(predictions.name).parent), rules)


class _Predictions:
    """Success rates. Sites' addresses come from the predictions or the settings.

    Under `verified` the tasks are those of WebArena-Verified, and no other rule set stands beside it.
    """

    problems = ()

    def __init__(self, edition: Edition, rules: str) -> None:
        self.rule_sets = edition.rule_sets
        self._edition, self._rules = edition, rules
        self._sites = addresses_set()

    def read(self, record: Record) -> Prediction:
        name = task_name(record.data)
        if name not in self._edition.tasks:
            raise BadData(f"there is no task {name}")
        evidence = self._edition.evidence(record.data, self._sites)
        return Prediction(key=name, task=self._edition.tasks[name], evidence=evidence)

    async def scored(
        self, predictions: Sequence[Prediction], rules: str, judge: Judge | None
    ) -> list[Scored]:
        scores = await judged_scores(self._edition.evaluator, predictions, rules, judge)
        return [
            Scored(task=one.task, score=score, groups=self._groups_of(one.task), replies=replies)
            for one, (score, replies) in zip(predictions, scores, strict=True)
        ]

    def _groups_of(self, task: Task) -> dict[str, str]:
        return groups_of(task, UNACHIEVABLE if self._edition.unachievable(task) else ACHIEVABLE)

    def summary(self, items: Sequence[Scored], rules: str, unusable: int) -> dict[str, Json]:
        return summary(items, rules, len(self._edition.tasks))

    def groups(self, items: Sequence[Scored]) -> dict[str, list[JsonObject]]:
        found = {name: rows(name, items, self._rules) for name in GROUPINGS}
        return found | {"reason": reasons(items, self._rules)}

    def remarks(self, items: Sequence[Scored]) -> list[Problem]:
        """What is wrong with the task file, but for what concerns only tasks that nobody predicted."""
        names = {item.task.name for item in items}
        return [
            problem
            for problem in self._edition.problems
            if problem.severity == "error" or problem.message.partition(":")[0].removeprefix("task ") in names
        ]
