"""Scoring a file of answers offline: `webbench-tui score assistantbench --predictions FILE`.

A prediction is {"id": the task's, "answer": text, number, list or dictionary}, and may carry its own
"gold_answer", which is used where the task file has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.assistantbench.scoring.aggregate import summary
from webbench.benchmarks.assistantbench.scoring.comparison_result import kind_of
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.rules import RULE_SETS
from webbench.benchmarks.assistantbench.tasks import GET_DATA, load_tasks, unusable_gold
from webbench.benchmarks.common.counted_scores import by_group, group_rows
from webbench.benchmarks.common.offline import Prediction, Scored, Scorer
from webbench.benchmarks.common.own_and_bundled import LoadedTasks
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import Score
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

NAME = "assistantbench"
GOLD = "gold_answer"
NOT_IN_FILE = "not in the task file"
_OWN_GOLD = "gold answer taken from the prediction"


def create(data: Path | None = None) -> Scorer:
    """The scorer over a task file or folder, else the one that `WEBBENCH_DATA_ASSISTANTBENCH` names."""
    return Scorer(NAME, "AssistantBench", RULE_SETS, benchmark_data(NAME, data), _open_answers)


def _open_answers(predictions: PredictionFile, path: Path | None, rules: str) -> _Answers:
    return _Answers(predictions, load_tasks(path) if path else _without_tasks(), rules)


def _without_tasks() -> LoadedTasks:
    message = "no task file: only predictions that carry their own gold answer can be scored"
    return LoadedTasks((), (Problem("tasks", f"{message} ({GET_DATA})", "note"),))


class _Answers:
    """accuracy, answer_rate, precision, exact_match over what could be scored; then by group and item."""

    rule_sets = RULE_SETS

    def __init__(self, predictions: PredictionFile, loaded: LoadedTasks, rules: str) -> None:
        self.problems = loaded.problems
        self._file, self._rules = predictions.name, rules
        self._tasks = {task.name: task for task in loaded.tasks}
        self._evaluator = AssistantBenchEvaluator()

    def read(self, record: Record) -> Prediction:
        row = record.data
        complaint = self._unusable(row)
        if complaint:
            raise BadData(complaint)
        return msgspec.structs.replace(self._with_task(row), evidence={"answer": row["answer"]})

    def _unusable(self, row: JsonObject) -> str:
        """Why a line is no prediction that can be scored, "" where it is one."""
        identity = row.get("id")
        if not isinstance(identity, str) or not identity:
            return "no id" if identity in (None, "") else f"the id is {kind_of(identity)} and no text"
        if "answer" not in row:
            return f'"{identity}" has no "answer" (an empty text says that nothing was answered)'
        if identity not in self._tasks and row.get(GOLD) is None:
            return f'no task has the id "{identity}", and the prediction carries no "{GOLD}"'
        return unusable_gold(row.get(GOLD)) if identity not in self._tasks else ""

    def _with_task(self, row: JsonObject) -> Prediction:
        """The prediction with the gold answer that counts, and a note where that is its own."""
        name, own = row["id"], row.get(GOLD)
        task = self._tasks.get(name)
        if task is None:
            task = Task(benchmark=NAME, name=name, gold={"answer": own})
            return Prediction(key=name, task=task, note=f"{_OWN_GOLD}: the task file has no task of this id")
        if own is None or unusable_gold(own):
            return Prediction(key=name, task=task)
        if task.gold["answer"] is None:
            with_gold = msgspec.structs.replace(task, gold={"answer": own})
            return Prediction(key=name, task=with_gold, note=f"{_OWN_GOLD}: the task file doesn't tell it")
        differs = f'its "{GOLD}" differs from the task file\'s, which counts'
        return Prediction(key=name, task=task, warning=differs if own != task.gold["answer"] else "")

    async def scored(
        self,
        predictions: Sequence[Prediction],
        rules: str,
        judge: Judge | None,  # rules alone decide
    ) -> list[Scored]:
        return [
            Scored(
                task=one.task,
                score=self._evaluator.score(one.task, one.evidence, rules),
                groups=self._groups_of(one.task),
                note=one.note,
            )
            for one in predictions
        ]

    def _groups_of(self, task: Task) -> dict[str, str]:
        if task.name not in self._tasks:
            return {"difficulty": NOT_IN_FILE, "set": NOT_IN_FILE}
        return {"difficulty": task.kind or "not given", "set": task.split or "not given"}

    def summary(self, items: Sequence[Scored], rules: str, unusable: int) -> dict[str, Json]:
        counts = {"unusable": unusable, "without_prediction": len(self._not_predicted(items))}
        return summary(_scores(items, rules)) | counts

    def groups(self, items: Sequence[Scored]) -> dict[str, list[JsonObject]]:
        return {
            name: group_rows(
                name, by_group(items, name), lambda members: summary(_scores(members, self._rules))
            )
            for name in ("difficulty", "set")
        }

    def remarks(self, items: Sequence[Scored]) -> list[Problem]:
        missing = self._not_predicted(items)
        message = f"{len(missing)} of {len(self._tasks)} tasks have no prediction and are in no figure"
        return [Problem(self._file, message)] if missing else []

    def _not_predicted(self, items: Sequence[Scored]) -> set[str]:
        return self._tasks.keys() - {item.task.name for item in items}


def _scores(items: Sequence[Scored], rules: str) -> list[Score]:
    """Under a rule set; a failed score may hold none but its own."""
    return [one for item in items for one in (item.score, *item.score.beside) if one.rules == rules]
