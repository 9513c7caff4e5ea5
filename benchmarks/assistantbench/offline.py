"""Scoring a file of answers: `webbench-tui score assistantbench --predictions FILE`.

A prediction is {"id": the task's, "answer": text, number, list or dictionary}, and may carry its own
"gold_answer", which is used where the task file has none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from webbench.benchmarks.assistantbench.aggregate import summary
from webbench.benchmarks.assistantbench.comparison import kind_of
from webbench.benchmarks.assistantbench.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.rules import RULE_SETS
from webbench.benchmarks.assistantbench.tasks import (
    GET_DATA,
    TaskFile,
    load_tasks,
    unusable_gold,
)
from webbench.core.json_types import JsonObject
from webbench.core.judge.contract import Judge
from webbench.core.locations import benchmark_data
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.offline.problems import failed_score
from webbench.core.rule_sets import require_rules
from webbench.core.score import Status
from webbench.core.task import Problem, Task

GOLD = "gold_answer"
NOT_IN_FILE = "not in the task file"
Severity = Literal["note", "warning", "error"]
_OWN_GOLD = "gold answer taken from the prediction"


def create(data: Path | None = None) -> AssistantBenchScorer:
    """The scorer over a task file or folder, else the one that `WEBBENCH_DATA_ASSISTANTBENCH` names."""
    return AssistantBenchScorer(benchmark_data("assistantbench", data))


class AssistantBenchScorer:
    name = "assistantbench"
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
        """accuracy, answer_rate, precision, exact_match over what could be scored; then by group and item.

        Raises `BadData` for an unreadable task file and `UsageError` for unknown rules.
        """
        require_rules(rules, RULE_SETS, "AssistantBench")
        path = tasks or self.data
        loaded = load_tasks(path) if path else _without_tasks()
        scoring = _Scoring(predictions, loaded, rules)
        for record in predictions.records:
            scoring.add(record)
        return scoring.report()


def _without_tasks() -> TaskFile:
    message = "no task file: only predictions that carry their own gold answer can be scored"
    return TaskFile((), (Problem("tasks", f"{message} ({GET_DATA})", "note"),))


class _Scoring:
    """The predictions of one file, taken up one by one."""

    def __init__(self, predictions: PredictionFile, loaded: TaskFile, rules: str) -> None:
        self._predictions, self._rules = predictions, rules
        self._tasks = {task.name: task for task in loaded.tasks}
        self._evaluator = AssistantBenchEvaluator()
        self._lines: dict[str, int] = {}
        self._items: list[ItemScore] = []
        self._problems = [*predictions.problems, *loaded.problems]

    def add(self, record: Record) -> None:
        complaint = self._unusable(record)
        if complaint:
            self._tell(record, complaint, "error")
            return
        row = record.data
        self._lines[row["id"]] = record.line
        task, note = self._task(record)
        score = self._evaluator.score(task, {"answer": row["answer"]}, self._rules)
        if score.status is Status.ERROR:
            self._problems.append(failed_score(self._predictions.place(record), score))
        self._items.append(ItemScore(id=row["id"], score=score, groups=self._groups(task), note=note))

    def _unusable(self, record: Record) -> str:
        """Why a line is no prediction that can be scored, "" where it is one."""
        row = record.data
        identity = row.get("id")
        if not isinstance(identity, str) or not identity:
            return "no id" if identity in (None, "") else f"the id is {kind_of(identity)} and no text"
        if identity in self._lines:
            return f'a second prediction for "{identity}": the one of line {self._lines[identity]} counts'
        if "answer" not in row:
            return f'"{identity}" has no "answer" (an empty text says that nothing was answered)'
        if identity not in self._tasks and row.get(GOLD) is None:
            return f'no task has the id "{identity}", and the prediction carries no "{GOLD}"'
        return unusable_gold(row.get(GOLD)) if identity not in self._tasks else ""

    def _task(self, record: Record) -> tuple[Task, str]:
        """The task with the gold answer that counts, and a note where that is the prediction's own."""
        row = record.data
        task, own = self._tasks.get(row["id"]), row.get(GOLD)
        if task is None:
            task = Task(benchmark="assistantbench", name=row["id"], gold={"answer": own})
            return task, f"{_OWN_GOLD}: the task file has no task of this id"
        if own is None or unusable_gold(own):
            return task, ""
        if task.gold["answer"] is None:
            told = msgspec.structs.replace(task, gold={"answer": own})
            return told, f"{_OWN_GOLD}: the task file doesn't tell it"
        if own != task.gold["answer"]:
            self._tell(record, f'its "{GOLD}" differs from the task file\'s, which counts')
        return task, ""

    def _groups(self, task: Task) -> dict[str, str]:
        if task.name not in self._tasks:
            return {"difficulty": NOT_IN_FILE, "set": NOT_IN_FILE}
        return {"difficulty": task.kind or "not given", "set": task.split or "not given"}

    def _tell(self, record: Record, message: str, severity: Severity = "warning") -> None:
        self._problems.append(Problem(self._predictions.place(record), message, severity))

    def report(self) -> OfflineReport:
        missing = len(self._tasks.keys() - self._lines.keys())
        if missing:
            message = f"{missing} of {len(self._tasks)} tasks have no prediction and are in no figure"
            self._problems.append(Problem(self._predictions.name, message))
        counts = {
            "unusable": self._unusable_lines(),
            "without_prediction": missing,
        }
        scores = [item.score for item in self._items]
        other = next(rules for rules in RULE_SETS if rules != self._rules)
        return OfflineReport(
            benchmark="assistantbench",
            rules=self._rules,
            summary=summary(scores) | counts,
            groups={name: self._by_group(name) for name in ("difficulty", "set")},
            beside={other: summary([beside for score in scores for beside in score.beside]) | counts},
            items=tuple(self._items),
            problems=tuple(self._problems),
        )

    def _unusable_lines(self) -> int:
        unread = sum(problem.severity == "error" for problem in self._predictions.problems)
        return unread + len(self._predictions.records) - len(self._items)

    def _by_group(self, grouping: str) -> list[JsonObject]:
        """One row per group, in order of first appearance."""
        names = dict.fromkeys(item.groups[grouping] for item in self._items)
        return [
            {grouping: name} | summary([item.score for item in self._items if item.groups[grouping] == name])
            for name in names
        ]
