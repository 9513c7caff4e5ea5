"""Mind2Web's offline figures: element accuracy, operation F1, step and task success rate (table 3).

A step succeeds where the element is right and the operation's F1 is 1. A task succeeds where all its steps
do; SR(1) forgives one. Per step every figure is given over all steps, and as the mean of tasks' means, which
Mind2Web's paper prints. `published` counts a step without prediction as wrong, as the published evaluation
does with one whose element was not among the candidates; `listed` leaves it out.

`webbench-tui score mind2web --predictions FILE` is this; see the entry point group `webbench.scorers`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.counted_scores import by_group, group_rows, under
from webbench.benchmarks.common.offline import Prediction, Scored, Scorer
from webbench.benchmarks.webcanvas.mind2web.operation_match import operation_check
from webbench.benchmarks.webcanvas.mind2web.predicted_steps import (
    PredictedStep,
    PredictedTask,
    ReferenceTask,
    by_task,
    predicted_task,
    reference_task,
)
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import Check, Score, Status
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.statistics.mean import mean
from webbench.core.task import Task

NAME, TITLE = "mind2web", "Mind2Web, offline"
PUBLISHED, LISTED = "published", "listed"
RULE_SETS = (PUBLISHED, LISTED)
MOST_SHOWN = 3
_SHOWN = ("element_accuracy", "operation_f1", "step_success_rate", "task_success_rate")
"""Figures of a group."""


def create(data: Path | None = None) -> Scorer:
    """The entry point; `data` is a file of Mind2Web's own records."""
    return Scorer(NAME, TITLE, RULE_SETS, data, _Steps, by_task)


def counted_steps(task: PredictedTask, rules: str) -> list[PredictedStep]:
    """The steps that count under a rule set."""
    return [step for step in task.steps if rules == PUBLISHED or not step.missing]


def step_check(step: PredictedStep) -> Check:
    """The line of one step, with its element and its operation below it; see the module for the rules."""
    element = Check(
        name="element",
        target="element",
        actual=step.element,
        normalised=step.element,
        expected=step.wanted,
        value=float(bool(step.element_right)),
        why=step.why or ("one of the step's elements" if step.element_right else "another element"),
    )
    operation = operation_check(step.operation, step.reference)
    right = element.value == 1 and operation.value == 1 and not step.missing
    parts = [f"element {'right' if element.value else 'wrong'}", f"operation F1 {operation.value:.2f}"]
    return Check(
        name="step success",
        target=f"step {step.number}",
        actual=[step.element, step.operation],
        expected=[step.wanted, step.reference],
        value=float(right),
        why=step.why if step.missing else ", ".join(parts),
        combination="both have to be right",
        checks=() if step.missing else (element, operation),
    )


def task_score(task: PredictedTask, rules: str) -> Score:
    """The step success rate of one task, with the other rule set beside it."""
    scores = {name: _score(task, name) for name in RULE_SETS}
    (beside,) = (score for name, score in scores.items() if name != rules)
    return Score(
        status=scores[rules].status,
        value=scores[rules].value,
        reason=scores[rules].reason,
        rules=rules,
        combination=scores[rules].combination,
        checks=scores[rules].checks,
        metrics=scores[rules].metrics,
        evaluator=f"{NAME} 1",
        beside=(beside,),
    )


def _score(task: PredictedTask, rules: str) -> Score:
    checks = tuple(map(step_check, counted_steps(task, rules)))
    if not checks:
        return Score(status=Status.NOT_SCORED, reason="no step was predicted", rules=rules)
    wrong = sum(check.value != 1 for check in checks)
    return Score(
        status=Status.SCORED,
        value=(len(checks) - wrong) / len(checks),
        rules=rules,
        combination=f"step success rate over {len(checks)} steps",
        checks=checks,
        metrics={
            "steps": float(len(checks)),
            "wrong_steps": float(wrong),
            "element_accuracy": mean([_part(check, 0) for check in checks]),
            "operation_f1": mean([_part(check, 1) for check in checks]),
            "task_success": float(wrong == 0),
            "task_success_1": float(wrong <= 1),
        },
    )


def _part(check: Check, place: int) -> float:
    """What a step's element (0) or operation (1) came to; 0 for a step without prediction."""
    return (check.checks[place].value or 0.0) if check.checks else 0.0


def figures(scores: Sequence[Score]) -> dict[str, Json]:
    """Over the scored tasks: each figure of a step over all steps and as the mean of tasks; task success."""
    found = [score for score in scores if score.status is Status.SCORED]
    steps = [check for score in found for check in score.checks]
    return {
        "element_accuracy": mean([_part(check, 0) for check in steps]),
        "operation_f1": mean([_part(check, 1) for check in steps]),
        "step_success_rate": mean([check.value or 0.0 for check in steps]),
        "macro_element_accuracy": mean([score.metrics["element_accuracy"] or 0.0 for score in found]),
        "macro_operation_f1": mean([score.metrics["operation_f1"] or 0.0 for score in found]),
        "macro_step_success_rate": mean([score.value or 0.0 for score in found]),
        "task_success_rate": mean([score.metrics["task_success"] or 0.0 for score in found]),
        "task_success_rate_1": mean([score.metrics["task_success_1"] or 0.0 for score in found]),
        "tasks": len(found),
        "steps": len(steps),
        "steps_without_prediction": sum(not check.checks for check in steps),
    }


class ScoredTask(Scored, frozen=True, kw_only=True):
    """A task's score with its steps."""

    predicted: PredictedTask


class _Steps:
    """Figures over all steps and tasks; by domain, website and model; and by how many steps are wrong."""

    rule_sets = RULE_SETS

    def __init__(self, predictions: PredictionFile, records: Path | None, rules: str) -> None:
        self.problems: list[Problem] = []
        self._file, self._rules = predictions.name, rules
        self._known = dict(_references(records, self.problems)) if records else {}
        self._names_models = any(record.data["model"] for record in predictions.records)
        self._read: dict[Hashable, PredictedTask] = {}

    def read(self, record: Record) -> Prediction:
        name, model = record.data["task"], record.data["model"]
        called = name + (f" ({model})" if model else "")
        try:
            found = predicted_task(name, record.data["rows"], self._known)
        except BadData as error:
            raise BadData(f"{called}: {error}") from error
        key = (name, model)
        self._read[key] = msgspec.structs.replace(found, model=model)
        task = Task(benchmark=NAME, name=f"{NAME}/{called}", intent=found.intent, site=found.website)
        return Prediction(key=key, task=task)

    async def scored(
        self,
        predictions: Sequence[Prediction],
        rules: str,
        judge: Judge | None,  # noqa: ARG002 - rules alone decide
    ) -> list[ScoredTask]:
        found = [self._read[one.key] for one in predictions]
        return [
            ScoredTask(
                task=one.task, score=task_score(task, rules), groups=self._groups_of(task), predicted=task
            )
            for one, task in zip(predictions, found, strict=True)
        ]

    def _groups_of(self, task: PredictedTask) -> dict[str, str]:
        told = {"domain": task.domain, "website": task.website}
        if self._names_models:
            told["model"] = task.model
        return {name: group or "not told" for name, group in told.items()}

    def summary(self, items: Sequence[ScoredTask], rules: str, unusable: int) -> dict[str, Json]:
        del unusable
        return figures([under(item.score, rules) for item in items])

    def groups(self, items: Sequence[ScoredTask]) -> dict[str, list[JsonObject]]:
        """By domain, website and model; tasks by how many steps are wrong, which SR(0) and SR(1) count."""
        told = {
            name: group_rows(name, dict(sorted(by_group(items, name).items())), self._group_figures)
            for name in ("domain", "website", *(("model",) if self._names_models else ()))
        }
        wrong = Counter(
            "more than 3" if count > 3 else str(int(count))
            for item in items
            if (count := item.score.metrics.get("wrong_steps")) is not None
        )
        return told | {"wrong steps": [{"wrong steps": name, "n": wrong[name]} for name in sorted(wrong)]}

    def _group_figures(self, members: Sequence[ScoredTask]) -> dict[str, Json]:
        found = self.summary(members, self._rules, 0)
        return {"n": len(members)} | {name: found[name] for name in _SHOWN}

    def remarks(self, items: Sequence[ScoredTask]) -> Sequence[Problem]:
        return tuple(_own_marks(self._file, [item.predicted for item in items]))


def _references(file: Path, problems: list[Problem]) -> Iterator[tuple[str, ReferenceTask]]:
    """Mind2Web's records of a file. Raises `BadData` where it can't be read, or holds none."""
    parsed, count = read_tasks(file.expanduser()), 0
    problems += parsed.problems
    for record in parsed.records:
        try:
            task = reference_task(record.data)
        except BadData as error:
            problems.append(Problem(parsed.place(record), f"left out: {error}", "error"))
            continue
        count += 1
        yield task.name, task
    if not count:
        raise BadData(
            f"{file} holds no record of Mind2Web", "name a file of its own, such as test_task_0.json"
        )


def _own_marks(file: str, found: Sequence[PredictedTask]) -> Iterator[Problem]:
    """How the file's own marks of its steps compare with ours."""
    marked = [(task, step) for task in found for step in task.steps if step.marked is not None]
    if not marked:
        return
    ours = [step_check(step).value == 1 for _, step in marked]
    differ = [pair for pair, right in zip(marked, ours, strict=True) if pair[1].marked != right]
    right = sum(bool(step.marked) for _, step in marked)
    told = f"its own marks call {right} of {len(marked)} steps right, these rules {sum(ours)}"
    if differ:
        shown = "; ".join(
            f"{task.name} step {step.number}: {step.operation!r} for {step.reference!r}"
            for task, step in differ[:MOST_SHOWN]
        )
        told += f"; {len(differ)} differ, such as {shown}"
    yield Problem(file, told, "note")
