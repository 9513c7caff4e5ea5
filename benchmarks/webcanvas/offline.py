"""`webbench-tui score webcanvas`: results of the framework, or recorded steps, against the key nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.webcanvas.evaluate import WebCanvasEvaluator, read_evidence
from webbench.benchmarks.webcanvas.matching import RULE_SETS
from webbench.benchmarks.webcanvas.outcomes import DIFFERENT
from webbench.benchmarks.webcanvas.results import framework_result, is_framework_result
from webbench.benchmarks.webcanvas.summary import summary
from webbench.benchmarks.webcanvas.tasks import load_tasks
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge.asking import answered, recorded_replies
from webbench.core.judge.contract import Judge
from webbench.core.locations import benchmark_data
from webbench.core.offline.contract import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.offline.problems import failed_score
from webbench.core.rule_sets import require_rules
from webbench.core.score import Score, Status
from webbench.core.task import Problem, Task


def create(data: Path | None = None) -> WebCanvasScorer:
    return WebCanvasScorer(benchmark_data("webcanvas", data))


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the file, scored."""

    task: Task
    score: Score
    note: str = ""
    replies: dict[str, Json] = {}

    def under(self, rules: str) -> Score:
        return next(one for one in (self.score, *self.score.beside) if one.rules == rules)


class WebCanvasScorer:
    """Completion rate, success rate, efficiency and human alignment of a file of results."""

    name = "webcanvas"
    rule_sets: tuple[str, ...] = RULE_SETS

    def __init__(self, data: Path | None = None) -> None:
        self.data = data
        self.evaluator = WebCanvasEvaluator()

    async def score(
        self, predictions: PredictionFile, *, tasks: Path | None, rules: str, judge: Judge | None
    ) -> OfflineReport:
        """See `OfflineScorer`. Without tasks the key nodes are those that the results themselves hold."""
        require_rules(rules, RULE_SETS, "WebCanvas")
        path = tasks or self.data
        loaded = load_tasks(path.expanduser()) if path else None
        known = KnownTasks(loaded.tasks) if loaded else None
        problems = [*predictions.problems, *(loaded.problems if loaded else ())]
        items: list[Item] = []
        seen: dict[str, str] = {}
        for record in predictions.records:
            place = predictions.place(record)
            try:
                item, told = await self._item(record, known, rules, judge)
            except BadData as error:
                problems.append(Problem(place, str(error), "error"))
                continue
            if item.task.intent in seen:
                first = seen[item.task.intent]
                told = f"a second result of this task; the one at {first} is used"
                problems.append(Problem(place, told, "error"))
                continue
            seen[item.task.intent] = place
            items.append(item)
            if item.score.status is Status.ERROR:
                problems.append(failed_score(place, item.score))
            if told:
                problems.append(Problem(place, told))
        return _report(items, problems, rules)

    async def _item(
        self, record: Record, known: KnownTasks | None, rules: str, judge: Judge | None
    ) -> tuple[Item, str]:
        """The item and what is to be told about its line. Raises `BadData` for an unusable line."""
        if not is_framework_result(record.data):
            return await self._recorded_steps(record.data, known, rules, judge), ""
        found = framework_result(record.data)
        task = known.named(found.id, found.name) if known else None
        told = found.trouble()
        if task is not None and found.differs_from(task):
            told = told or "its key nodes are not those of the task file; those of the result are used"
        scored = found.task(task)
        score = self.evaluator.score(scored, found.evidence, rules)
        if any(DIFFERENT in check.why for check in score.checks):
            told = told or "recomputed from its own steps, a recorded key node comes out differently"
        note = "key nodes and their scores as the framework recorded them"
        return Item(task=scored, score=score, note=note), told

    async def _recorded_steps(
        self, data: JsonObject, known: KnownTasks | None, rules: str, judge: Judge | None
    ) -> Item:
        if known is None:
            raise BadData('it is no result of the framework (no "step_list"), and no tasks are given')
        task = known.named(str(data.get("id", "")), str(data.get("task", "")))
        if "steps" not in data:
            raise BadData('it has neither "step_list" nor "steps"')
        evidence: JsonObject = {
            name: data[name] for name in ("steps", "status", "signal", "replies") if name in data
        }
        read_evidence(evidence)
        evidence = await answered(self.evaluator, task, evidence, judge, rules)
        score = self.evaluator.score(task, evidence, rules)
        return Item(task=task, score=score, replies=recorded_replies(evidence))


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


def _report(items: Sequence[Item], problems: Sequence[Problem], rules: str) -> OfflineReport:
    return OfflineReport(
        benchmark="webcanvas",
        rules=rules,
        summary=_summary(items, rules),
        beside={name: _summary(items, name) for name in RULE_SETS if name != rules},
        groups={"site": list(_rows("site", items, rules)), "status": list(_rows("status", items, rules))},
        items=tuple(
            ItemScore(
                id=item.task.id,
                score=item.score,
                groups={name: _group(name, item) for name in ("site", "status")},
                note=item.note,
                replies=item.replies,
            )
            for item in items
        ),
        problems=tuple(problems),
    )


def _summary(items: Sequence[Item], rules: str) -> dict[str, Json]:
    return summary([item.under(rules) for item in items], rules)


def _group(name: str, item: Item) -> str:
    if name == "site":
        return item.task.site or "unknown"
    success = [check.actual for check in item.score.checks if check.name == "task success"]
    return (success[0]["status"] if success else "") or "not told"


def _rows(name: str, items: Sequence[Item], rules: str) -> Iterator[JsonObject]:
    grouped: dict[str, list[Item]] = {}
    for item in items:
        grouped.setdefault(_group(name, item), []).append(item)
    for value, members in sorted(grouped.items()):
        figures = _summary(members, rules)
        yield {
            name: value,
            "n": len(members),
            "completion_rate": figures["completion_rate"],
            "task_success_rate": figures["task_success_rate"],
        }
