"""A score in the form in which the verified edition's own package writes it down."""

from __future__ import annotations

from webbench.benchmarks.webarena.verified.compare import shown
from webbench.benchmarks.webarena.verified.evaluate import VERIFIED, VerifiedEvaluator, verdicts
from webbench.benchmarks.webarena.verified.response import Verdict
from webbench.core.json_types import JsonObject
from webbench.core.task import Task


def eval_result(task: Task, evidence: JsonObject) -> JsonObject:
    """{"task_id", "status", "score", "evaluators_results": [...]}; a status is success, failure or error.

    Raises `BadData` where the task or the evidence can't be read.
    """
    score = VerifiedEvaluator().score(task, evidence, VERIFIED)
    status = {1.0: "success", 0.0: "failure"}.get(score.value if score.value is not None else -1, "error")
    return {
        "task_id": int(task.name),
        "intent_template_id": task.data.get("intent_template_id"),
        "sites": task.data.get("sites"),
        "task_revision": task.data.get("revision"),
        "status": status,
        "score": score.value,
        "evaluators_results": [_result(verdict) for verdict in verdicts(task, evidence)],
    }


def _result(verdict: Verdict) -> JsonObject:
    told = [
        {"assertion_name": one.name, "status": "failure", "assertion_msgs": list(one.messages)}
        for one in verdict.differences
    ]
    return {
        "evaluator_name": verdict.name,
        "status": "error" if verdict.missing else "success" if verdict.holds else "failure",
        "score": None if verdict.missing else float(verdict.holds),
        "actual": verdict.actual,
        "actual_normalized": shown(verdict.normalised),
        "expected": shown(verdict.expected),
        "assertions": told or None,
        "error_msg": verdict.missing or None,
    }
