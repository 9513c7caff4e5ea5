"""`webbench-tui score turkingbench --predictions FILE`: answers per field, scored without a page.

Without a page nobody knows which fields were displayed, so all but hidden ones count as displayed, and the
fields of the template that a prediction doesn't name count as left empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.turkingbench.predictions import (
    PredictedEvidence,
    Prediction,
    named,
    predicted_evidence,
    read_prediction,
)
from webbench.benchmarks.turkingbench.rules import RULE_SETS
from webbench.benchmarks.turkingbench.splits import TEMPLATE
from webbench.benchmarks.turkingbench.summary import Scored, by_task, by_type, grouped, summary
from webbench.benchmarks.turkingbench.tasks import TurkingBench
from webbench.benchmarks.turkingbench.template_fields import template_fields
from webbench.core.errors import BadData, UsageError
from webbench.core.judge.contract import Judge
from webbench.core.locations import benchmark_data
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile
from webbench.core.rule_sets import require_rules
from webbench.core.score import Score, failed, not_scored
from webbench.core.task import Problem, Task


def create(data: Path | None = None) -> TurkingScorer:
    return TurkingScorer(benchmark_data("turkingbench", data))


class TurkingScorer:
    """Both averages, the table by field type, and the tasks, of a file of predictions."""

    name = "turkingbench"
    rule_sets: tuple[str, ...] = RULE_SETS

    def __init__(self, data: Path | None = None) -> None:
        self.data = data

    async def score(
        self,
        predictions: PredictionFile,
        *,
        tasks: Path | None,
        rules: str,
        judge: Judge | None,  # noqa: ARG002
    ) -> OfflineReport:
        """See `OfflineScorer`; `tasks` is a data folder. Rules alone decide, so no judge is asked."""
        require_rules(rules, RULE_SETS, "TurkingBench")
        benchmark = TurkingBench(tasks or self.data)
        if benchmark.status().state != "ready":
            raise BadData(f"TurkingBench's tasks can't be loaded: {benchmark.status().detail}")
        folder = _TaskFolder(benchmark)
        problems = list(predictions.problems)
        scored: list[Scored] = []
        first: dict[str, str] = {}
        for record in predictions.records:
            place = predictions.place(record)
            try:
                prediction = read_prediction(record.data)
                if prediction.id in first:
                    raise BadData(f"{prediction.id} was predicted at {first[prediction.id]} already")
                item, complaint = _item(folder, prediction, rules)
            except BadData as error:
                problems.append(Problem(place, str(error), "error"))
                continue
            first[prediction.id] = place
            problems += [Problem(place, complaint, "error")] if complaint else []
            scored.append(item)
        return OfflineReport(
            benchmark=self.name,
            rules=rules,
            summary=summary(scored, rules),
            groups={
                "type": by_type(scored, rules),
                "split": grouped(scored, rules, "split"),
                "task": by_task(scored, rules),
            },
            beside={other: summary(scored, other) for other in RULE_SETS if other != rules},
            items=tuple(one.item for one in scored),
            problems=tuple(problems),
        )


class _TaskFolder:
    """Tasks and field types by name, each read once."""

    def __init__(self, benchmark: TurkingBench) -> None:
        self.benchmark = benchmark
        self._tasks: dict[str, Sequence[Task]] = {}
        self._types: dict[str, dict[str, str]] = {}

    def task(self, prediction: Prediction) -> Task:
        """Raises `BadData` for an unknown task or instance."""
        name = prediction.task
        if name not in self._tasks:
            try:
                self._tasks[name] = self.benchmark.tasks(names=(name,))
            except UsageError as error:
                raise BadData(error.message, error.hint) from error
        found = self._tasks[name]
        if prediction.instance >= len(found):
            raise BadData(
                f'task "{name}" has {len(found)} instances, so none has the number {prediction.instance}'
            )
        return found[prediction.instance]

    def types(self, name: str) -> dict[str, str]:
        """Raises `BadData` where the template can't be read."""
        if name not in self._types:
            path = self.benchmark.folder.directory(name) / TEMPLATE
            try:
                self._types[name] = template_fields(path.read_text("utf-8", errors="replace"))
            except OSError as error:
                raise BadData(f"{path} can't be read: {error.strerror or error}") from error
        return self._types[name]


def _item(folder: _TaskFolder, prediction: Prediction, rules: str) -> tuple[Scored, str]:
    """The prediction's score, and what makes its fields unusable: then the score is an error, not a number.

    Raises `BadData` for a task or instance that isn't there.
    """
    task = folder.task(prediction)
    if "problem" in task.data:
        return Scored(_item_score(task, not_scored(str(task.data["problem"]), rules=rules))), ""
    types = folder.types(task.name)
    try:
        predicted = predicted_evidence(prediction, tuple(task.data["answers"]), types)
    except BadData as error:
        complaint = f"{task.id}: {error}"
        return Scored(_item_score(task, failed(complaint, rules=rules))), complaint
    if predicted.untyped:
        reason = f'the template doesn\'t tell the type of {named(predicted.untyped)}: give it as "type"'
        return Scored(_item_score(task, not_scored(reason, rules=rules))), ""
    score, results = folder.benchmark.evaluator.explained(task, predicted.evidence, rules)
    return Scored(_item_score(task, score, _note(predicted)), results), ""


def _item_score(task: Task, score: Score, note: str = "") -> ItemScore:
    return ItemScore(id=task.id, score=score, groups={"split": task.split, "task": task.name}, note=note)


def _note(predicted: PredictedEvidence) -> str:
    if not predicted.unanswered:
        return ""
    return f"not predicted, so left empty: {named(predicted.unanswered)}"
