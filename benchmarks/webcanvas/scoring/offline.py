"""Offline scoring of `webbench-tui score webcanvas`: results of the framework, or recorded steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.counted_scores import by_group, group_rows, under
from webbench.benchmarks.common.offline import Prediction, Scored, Scorer, judged_scores
from webbench.benchmarks.common.own_and_bundled import LoadedTasks
from webbench.benchmarks.webcanvas.framework_results import framework_result, is_framework_result
from webbench.benchmarks.webcanvas.scoring.aggregate import summary
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator, read_evidence
from webbench.benchmarks.webcanvas.scoring.matched_key_node import RULE_SETS
from webbench.benchmarks.webcanvas.scoring.outcomes import DIFFERENT
from webbench.benchmarks.webcanvas.tasks import load_tasks
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import Score
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

NAME = "webcanvas"
OF_FRAMEWORK = "key nodes and their scores as the framework recorded them"
RECOMPUTED = "recomputed from its own steps, a recorded key node comes out differently"


def create(data: Path | None = None) -> Scorer:
    """The scorer over a task file or a folder of them, else what `WEBBENCH_DATA_WEBCANVAS` names."""
    return Scorer(NAME, "WebCanvas", RULE_SETS, benchmark_data(NAME, data), _open_results)


def _open_results(_: PredictionFile, path: Path | None, rules: str) -> _Results:
    return _Results(load_tasks(path.expanduser()) if path else None, rules)


class _Results:
    """Completion rate, success rate, efficiency and human alignment.

    Without tasks the key nodes are those that the results themselves hold.
    """

    rule_sets = RULE_SETS

    def __init__(self, loaded: LoadedTasks | None, rules: str) -> None:
        self.problems = loaded.problems if loaded else ()
        self._rules = rules
        self._known = KnownTasks(loaded.tasks) if loaded else None
        self._evaluator = WebCanvasEvaluator()

    def read(self, record: Record) -> Prediction:
        data = record.data
        return self._of_framework(data) if is_framework_result(data) else self._recorded_steps(data)

    def _of_framework(self, data: JsonObject) -> Prediction:
        """With the score that rests on what the framework recorded: no judge is asked."""
        found = framework_result(data)
        known = self._known.named(found.id, found.name) if self._known else None
        warning = found.trouble()
        if known is not None and found.differs_from(known):
            warning = warning or "its key nodes are not those of the task file; those of the result are used"
        task = found.task(known)
        score = self._evaluator.score(task, found.evidence, self._rules)
        if any(DIFFERENT in check.why for check in score.checks):
            warning = warning or RECOMPUTED
        return Prediction(key=task.intent, task=task, score=score, note=OF_FRAMEWORK, warning=warning)

    def _recorded_steps(self, data: JsonObject) -> Prediction:
        if self._known is None:
            raise BadData('it is no result of the framework (no "step_list"), and no tasks are given')
        task = self._known.named(str(data.get("id", "")), str(data.get("task", "")))
        if "steps" not in data:
            raise BadData('it has neither "step_list" nor "steps"')
        evidence: JsonObject = {
            name: data[name] for name in ("steps", "status", "signal", "replies") if name in data
        }
        read_evidence(evidence)
        return Prediction(key=task.intent, task=task, evidence=evidence)

    async def scored(
        self, predictions: Sequence[Prediction], rules: str, judge: Judge | None
    ) -> list[Scored]:
        found = await judged_scores(self._evaluator, predictions, rules, judge)
        return [
            Scored(
                task=one.task, score=score, groups=_groups_of(one.task, score), note=one.note, replies=replies
            )
            for one, (score, replies) in zip(predictions, found, strict=True)
        ]

    def summary(self, items: Sequence[Scored], rules: str, unusable: int) -> dict[str, Json]:
        return summary([under(item.score, rules) for item in items], rules)

    def groups(self, items: Sequence[Scored]) -> dict[str, list[JsonObject]]:
        found = {name: by_group(items, name) for name in ("site", "status")}
        return {
            name: group_rows(name, dict(sorted(members.items())), self._group_figures)
            for name, members in found.items()
        }

    def _group_figures(self, members: Sequence[Scored]) -> dict[str, Json]:
        figures = self.summary(members, self._rules, 0)
        rates = {name: figures[name] for name in ("completion_rate", "task_success_rate")}
        return {"n": len(members)} | rates

    def remarks(self, items: Sequence[Scored]) -> Sequence[Problem]:
        return ()


class KnownTasks:
    """Tasks by number and by text."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._by_name = {task.name: task for task in reversed(tasks)}
        self._by_intent = {task.intent.strip(): task for task in reversed(tasks)}

    def named(self, identity: str, intent: str) -> Task:
        """By text, else by number. Raises `BadData`."""
        wanted = intent.strip()
        found = self._by_intent.get(wanted) if wanted else self._by_name.get(identity)
        if found is None:
            raise BadData(f'the task file holds no task "{intent or identity}"')
        return found


def _groups_of(task: Task, score: Score) -> dict[str, str]:
    success = [check.actual for check in score.checks if check.name == "task success"]
    status = (success[0]["status"] if success else "") or "not told"
    return {"site": task.site or "unknown", "status": status}
