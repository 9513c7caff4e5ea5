"""Offline scoring of `webbench-tui score turkingbench --predictions FILE`: answers per field, without a page.

Without a page nobody knows which fields were displayed, so all but hidden ones count as displayed, and the
fields of the template that a prediction doesn't name count as left empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.offline import Prediction, Scorer
from webbench.benchmarks.turkingbench.scoring.aggregate import (
    ScoredInstance,
    by_task,
    by_type,
    grouped,
    summary,
)
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.scoring.field_score import RULE_SETS
from webbench.benchmarks.turkingbench.scoring.predictions import (
    PredictedInstance,
    named,
    predicted_evidence,
    read_prediction,
)
from webbench.benchmarks.turkingbench.scoring.template_fields import template_fields
from webbench.benchmarks.turkingbench.splits import TEMPLATE
from webbench.benchmarks.turkingbench.tasks import NAME, FormTasks
from webbench.core.benchmark.benchmark import Problem
from webbench.core.benchmark.selection import require_names
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import failed, not_scored
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

TITLE = "TurkingBench"


def create(data: Path | None = None) -> Scorer:
    """The scorer over a data folder, else the one that `WEBBENCH_DATA_TURKINGBENCH` names."""
    return Scorer(NAME, TITLE, RULE_SETS, benchmark_data(NAME, data), _open_answers)


def _open_answers(_: PredictionFile, path: Path | None, rules: str) -> _Answers:
    forms = FormTasks(path)
    if forms.status().state != "ready":
        raise BadData(f"{TITLE}'s tasks can't be loaded: {forms.status().detail}")
    return _Answers(forms, rules)


class _Answers:
    """Both averages, the table by field type, and the tasks."""

    rule_sets = RULE_SETS
    problems: Sequence[Problem] = ()

    def __init__(self, forms: FormTasks, rules: str) -> None:
        self._rules = rules
        self._evaluator = TurkingEvaluator()
        self._folder = _TaskFolder(forms)

    def read(self, record: Record) -> Prediction:
        """A prediction whose fields can't be used has an error in place of a score."""
        prediction = read_prediction(record.data)
        task = self._folder.task(prediction)
        if "problem" in task.data:
            score = not_scored(str(task.data["problem"]), rules=self._rules)
            return Prediction(key=prediction.id, task=task, score=score)
        types = self._folder.types(task.name)
        try:
            predicted = predicted_evidence(prediction, tuple(task.data["answers"]), types)
        except BadData as error:
            complaint = f"{task.id}: {error}"
            score = failed(complaint, rules=self._rules)
            return Prediction(key=prediction.id, task=task, score=score, error=complaint)
        if predicted.untyped:
            reason = f'the template doesn\'t tell the type of {named(predicted.untyped)}: give it as "type"'
            score = not_scored(reason, rules=self._rules)
            return Prediction(key=prediction.id, task=task, score=score)
        left_empty = predicted.unanswered
        note = f"not predicted, so left empty: {named(left_empty)}" if left_empty else ""
        return Prediction(key=prediction.id, task=task, evidence=predicted.evidence, note=note)

    async def scored(
        self,
        predictions: Sequence[Prediction],
        rules: str,
        judge: Judge | None,  # rules alone decide
    ) -> list[ScoredInstance]:
        return [self._scored(one, rules) for one in predictions]

    def _scored(self, one: Prediction, rules: str) -> ScoredInstance:
        groups = {"split": one.task.split, "task": one.task.name}
        if one.score is not None:
            return ScoredInstance(task=one.task, score=one.score, groups=groups)
        score, results = self._evaluator.explained(one.task, one.evidence, rules)
        return ScoredInstance(task=one.task, score=score, groups=groups, note=one.note, results=results)

    def summary(
        self,
        items: Sequence[ScoredInstance],
        rules: str,
        unusable: int,  # the problems tell them
    ) -> dict[str, Json]:
        return summary(items, rules)

    def groups(self, items: Sequence[ScoredInstance]) -> dict[str, list[JsonObject]]:
        return {
            "type": by_type(items, self._rules),
            "split": grouped(items, self._rules, "split"),
            "task": by_task(items, self._rules),
        }

    def remarks(self, items: Sequence[ScoredInstance]) -> Sequence[Problem]:  # there are none
        return ()


class _TaskFolder:
    """Tasks and field types by name, each read once."""

    def __init__(self, forms: FormTasks) -> None:
        self._forms = forms
        self._tasks: dict[str, Sequence[Task]] = {}
        self._types: dict[str, dict[str, str]] = {}

    def task(self, prediction: PredictedInstance) -> Task:
        """Raises `BadData` for an unknown task or instance."""
        name = prediction.task
        if name not in self._tasks:
            try:
                require_names((name,), self._forms.names(), TITLE)
            except UsageError as error:
                raise BadData(error.message, error.hint) from error
            self._tasks[name] = self._forms.tasks(name)
        found = self._tasks[name]
        if prediction.instance >= len(found):
            raise BadData(
                f'task "{name}" has {len(found)} instances, so none has the number {prediction.instance}'
            )
        return found[prediction.instance]

    def types(self, name: str) -> dict[str, str]:
        """Raises `BadData` where the template can't be read."""
        if name not in self._types:
            path = self._forms.folder.directory(name) / TEMPLATE
            try:
                self._types[name] = template_fields(path.read_text("utf-8", errors="replace"))
            except OSError as error:
                raise BadData(f"{path} can't be read: {error.strerror or error}") from error
        return self._types[name]
