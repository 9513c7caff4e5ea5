"""The TurkingBench evaluator: evidence from the live page, scored field by field against all workers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

import msgspec

from webbench.benchmarks.turkingbench.scoring.field_score import (
    CHECKBOX_CLAUSE,
    PAPER,
    PUBLISHED,
    RANGE_CLAUSE,
    RULE_SETS,
    WRITTEN,
)
from webbench.benchmarks.turkingbench.scoring.gold import Label, blanks_as_text, is_blank, labels_of
from webbench.benchmarks.turkingbench.scoring.instance import (
    FieldReading,
    InstanceResult,
    Outcome,
    score_by_rules,
)
from webbench.benchmarks.turkingbench.scoring.loopholes import CONDITIONS
from webbench.benchmarks.turkingbench.scoring.normalise import clean_values
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.explanation import value_words
from webbench.core.score.loopholes import load_loopholes, loopholes_of
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.scoring.metrics.rouge import import_in_background
from webbench.core.scoring.metrics.sets import votes
from webbench.core.task import Task

_CLAUSES = {"checkbox": CHECKBOX_CLAUSE, "range": RANGE_CLAUSE}
_NAMES_SHOWN = 5


class _TaskStage(Protocol):
    task: Task
    url: str
    substituted: Sequence[str]


class TurkingEvaluator:
    """Scores the form fields that the workers answered."""

    name = "turkingbench"
    version = "2"

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """Name, type, visibility and values of every answer field on the task's page.

        Returns:
            {"page": {"url", "is_task"}, "fields": [{"name", "type", "displayed", "values": [...]}, ...],
            "substituted": [addresses that a copy of ours answered for]}; without fields where the active
            tab shows another page.

        A form that is still empty is scored without ROUGE: whoever reads it first doesn't wait for the
        library, which is imported in the background.
        """
        from webbench.benchmarks.turkingbench.scoring.fields import collect

        staged = cast("_TaskStage", stage)
        evidence = await collect(environment, staged.task.data["answers"], staged.url)
        if any(field["type"] in WRITTEN for field in evidence["fields"]):
            import_in_background()
        return evidence | {"substituted": sorted(staged.substituted)}

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        """None: rules alone decide."""
        return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The instance's score under `rules`, with the other rule set beside it. Never raises."""
        return self.explained(task, evidence, rules)[0]

    def explained(
        self, task: Task, evidence: JsonObject, rules: str = PUBLISHED
    ) -> tuple[Score, dict[str, InstanceResult]]:
        """The score, and by rule set what averages are made of; nothing where there is no score."""
        if rules not in RULE_SETS:
            return unknown_rules(rules, RULE_SETS), {}
        try:
            plain, results = _scores(task, evidence)
        except BadData as error:
            return failed(f"{task.id}: {error}", rules=rules), {}
        scores = {name: _warned(task, evidence, one) for name, one in plain.items()}
        beside = tuple(score for name, score in scores.items() if name != rules)
        score = msgspec.structs.replace(
            scores[rules],
            beside=beside,
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )
        return score, results


def instance_result(task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> InstanceResult:
    """What averages over many instances are made of.

    Raises `BadData` for another benchmark's data, and for evidence of another page than the task's.
    """
    elsewhere = _elsewhere(evidence)
    if elsewhere:
        raise BadData(f"{task.id}: {elsewhere}")
    return _results(task, _readings(task, evidence))[rules]


def _warned(task: Task, evidence: JsonObject, score: Score) -> Score:
    """The score with the weaknesses that hold for it."""
    entries = load_loopholes("webbench.benchmarks.turkingbench")
    holding = loopholes_of(entries, CONDITIONS, task, evidence, score)
    return msgspec.structs.replace(score, loopholes=holding)


def _scores(task: Task, evidence: JsonObject) -> tuple[dict[str, Score], dict[str, InstanceResult]]:
    """Both by rule set."""
    fields = _readings(task, evidence)
    elsewhere = _elsewhere(evidence)
    if elsewhere:
        return {rules: not_scored(f"{task.id}: {elsewhere}", rules=rules) for rules in RULE_SETS}, {}
    results = _results(task, fields)
    return {rules: _score(task, fields, results, rules) for rules in RULE_SETS}, results


def _elsewhere(evidence: JsonObject) -> str:
    """Which other page the active tab showed, "" where the fields come from the task's own."""
    page = evidence.get("page")
    if not isinstance(page, dict) or page.get("is_task") is not False:
        return ""
    return f"the active tab is not on the task's page but on {page.get('url') or 'an empty one'}"


def _results(task: Task, fields: Sequence[FieldReading]) -> dict[str, InstanceResult]:
    """Under every rule set, on values in the form in which upstream reads them off the page."""
    labels = _labels(task, fields)
    cleaned = [msgspec.structs.replace(field, values=tuple(clean_values(field.values))) for field in fields]
    return score_by_rules(cleaned, labels)


def _score(
    task: Task, fields: Sequence[FieldReading], results: dict[str, InstanceResult], rules: str
) -> Score:
    result = results[rules]
    other = results[PAPER if rules == PUBLISHED else PUBLISHED]
    checks = tuple(
        _check(field, outcome, beside, rules)
        for field, outcome, beside in zip(fields, result.outcomes, other.outcomes, strict=True)
    )
    shown = {field.name for field in fields}
    checks += _without_field([name for name in task.gold["labels"] if name not in shown])
    trouble = result.error or (_only_published(task, fields) if rules == PUBLISHED else "")
    if trouble:
        return failed(f"{task.id}: {trouble}", rules=rules, checks=checks)
    if not result.counted and rules == PAPER:
        return not_scored(f"{task.id}: no field on the page counts", rules=rules, checks=checks)
    return Score(
        status=Status.SCORED,
        value=result.score,
        rules=rules,
        combination=_combination(result),
        checks=checks,
        metrics=_metrics(result),
    )


def _readings(task: Task, evidence: JsonObject) -> list[FieldReading]:
    if "fields" not in evidence:
        raise BadData("the evidence holds no fields: the page was not read")
    try:
        return msgspec.convert(evidence["fields"], list[FieldReading])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise BadData(f"the evidence of {task.name} has another shape: {error}") from error


def _labels(task: Task, fields: Sequence[FieldReading]) -> dict[str, list[Label]]:
    """Labels as the fields on the page want their blanks: the type decides, and the page has the type."""
    labels = labels_of(task.gold)
    for field in fields:
        if field.name in labels:
            labels[field.name] = blanks_as_text(labels[field.name], field.type)
    return labels


def _only_published(task: Task, fields: Sequence[FieldReading]) -> str:
    """Why the published code would fail on this instance or page, "" where it wouldn't."""
    doubled = next((field.name for field in fields if field.type == "radio" and len(field.values) > 1), "")
    if doubled:
        return f'field "{doubled}": two radio buttons of this name are checked'
    return str(task.gold.get("problem", ""))


def _check(field: FieldReading, outcome: Outcome, beside: Outcome, rules: str) -> Check:
    verdict = outcome.verdict
    common: dict[str, Json] = {
        "target": field.name,
        "actual": list(field.values) if field.type == "checkbox" else field.prediction,
        "expected": _expected(outcome.labels),
    }
    if outcome.error:
        return Check(name=field.type, status=Status.ERROR, why=outcome.error, **common)
    if verdict is None:
        why = f"skipped: {outcome.skipped}"
        return Check(name=field.type, status=Status.NOT_SCORED, counted=False, why=why, **common)
    return Check(
        name=verdict.metric,
        normalised=verdict.normalised,
        value=outcome.value,
        why=_why(outcome, rules),
        clause="" if _same(outcome.value, beside.value) else _CLAUSES.get(field.type, ""),
        **common,
    )


def _why(outcome: Outcome, rules: str) -> str:
    verdict = outcome.verdict
    if verdict is None or outcome.field.type != "range" or rules != PUBLISHED:
        return verdict.why if verdict else ""
    value = value_words(None if _undefined(verdict.value) else verdict.value)
    return f"a range always counts 1 in an instance; by itself it is {value}: {verdict.why}"


def _same(value: float | None, other: float | None) -> bool:
    if value is None or other is None:
        return value is other
    return math.isclose(value, other, abs_tol=1e-9)


def _undefined(value: float | None) -> bool:
    return value is None or math.isnan(value)


def _expected(labels: Iterable[Label]) -> list[Json]:
    """All labels with their votes, in order of first appearance; a blank's label is null."""
    return [
        {"label": None if is_blank(label) else label, "votes": count}
        for label, count in votes(labels).items()
    ]


def _without_field(names: Sequence[str]) -> tuple[Check, ...]:
    """One line for all answer columns that the page has no field for."""
    if not names:
        return ()
    listed = ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")
    return (
        Check(
            name="no field",
            target=f"{len(names)} answer column{'s' * (len(names) > 1)}",
            status=Status.NOT_SCORED,
            counted=False,
            why=f"skipped: the page has no field of this name: {listed}",
        ),
    )


def _combination(result: InstanceResult) -> str:
    counted = len(result.counted)
    skipped = len(result.outcomes) - counted
    if not counted:
        return f"0 because no field counts, {skipped} skipped"
    fields = f"mean of {counted} field{'s' * (counted > 1)}"
    return f"{fields}, {skipped} skipped" if skipped else fields


def _metrics(result: InstanceResult) -> dict[str, float | None]:
    """Mean of the rules' own values by field type; None where a blank gold value leaves it undefined."""
    means: dict[str, float | None] = {}
    for kind, values in result.per_type.items():
        mean = sum(values) / len(values)
        means[kind] = None if math.isnan(mean) else mean
    return means
