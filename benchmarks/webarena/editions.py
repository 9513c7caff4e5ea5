"""The two editions of the tasks that a file of predictions can be scored against.

The original one is scored by its rule sets `published` and `paper`. WebArena-Verified has tasks, evidence and
an evaluator of its own, under the rule set `verified`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from webbench.benchmarks.webarena.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.predictions import evidence_of, verified_evidence_of
from webbench.benchmarks.webarena.rules import RULE_SETS, VERIFIED
from webbench.benchmarks.webarena.string_match import is_unachievable
from webbench.benchmarks.webarena.tasks import DATA_VARIABLE, load_tasks
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge.contract import Question
from webbench.core.locations import benchmark_data
from webbench.core.score import Score
from webbench.core.task import Problem, Task

GET_VERIFIED = (
    "clone github.com/ServiceNow/webarena-verified and name its webarena-verified.json, or a folder that "
    f"holds it, with --tasks, --data or {DATA_VARIABLE}"
)

ReadEvidence = Callable[[JsonObject, Mapping[str, str]], JsonObject]


class Scoring(Protocol):
    """The part of an evaluator that scores."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = ...) -> Sequence[Question]: ...

    def score(self, task: Task, evidence: JsonObject, rules: str = ...) -> Score: ...


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
    evaluator: Scoring
    evidence: ReadEvidence
    unachievable: Callable[[Task], bool]


def open_edition(rules: str, path: Path | None, recordings: Path) -> Edition:
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
        tasks=loaded.by_name(),
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
