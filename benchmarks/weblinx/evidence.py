"""What is recorded of a prediction, and how the rule sets read it.

Evidence: {"output": the model's text, "element": the one it names, or null}, or of a prediction that is
already parsed {"action": {"intent", "args", "element"}}.
Gold: {"references": [action, ...], "dropped": why the turn takes no part in the evaluation, or ""}; with
several references each metric takes the best.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.action import TurnAction, action_of
from webbench.benchmarks.weblinx.elements import PageElements
from webbench.benchmarks.weblinx.output import parse_output, sanitised
from webbench.benchmarks.weblinx.results import predicted_action
from webbench.benchmarks.weblinx.rules import TurnMetrics, rules_named, turn_metrics
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.task import Task


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction under one rule set, the reference that explanations speak of, and all metrics."""

    predicted: TurnAction
    wanted: TurnAction
    metrics: TurnMetrics


def evidence_of(raw: str, page: PageElements) -> JsonObject:
    """What is recorded of a raw output: the text, and the element that it names on the page."""
    for quoted_text in (False, True):
        try:
            action = predicted_action(raw, page, quoted_text=quoted_text)
        except BadData:
            continue
        return {"output": raw, "element": action.element}
    return {"output": raw, "element": None}


def gold_of(wanted: TurnAction, dropped: str = "") -> JsonObject:
    return {"references": [msgspec.to_builtins(wanted)], "dropped": dropped}


def compared(task: Task, evidence: JsonObject, rules: str) -> Compared:
    """Raises `BadData` where a part is missing or has another shape, and as `turn_metrics`."""
    references = _references(task)
    predicted = _predicted(evidence, rules)
    return Compared(
        predicted=predicted,
        wanted=next((one for one in references if one.intent == predicted.intent), references[0]),
        metrics=turn_metrics(predicted, references, rules),
    )


def _references(task: Task) -> Sequence[TurnAction]:
    references = task.gold.get("references")
    if not isinstance(references, list) or not references:
        raise BadData("the task holds no reference action")
    return [action_of(reference) for reference in references]


def _predicted(evidence: JsonObject, rules: str) -> TurnAction:
    """The action, parsed as the rule set does: the paper leaves as text what stands in quotes."""
    output = evidence.get("output")
    if isinstance(output, str):
        intent, args = parse_output(output, quoted_text=rules_named(rules).quoted_text)
        return action_of({"intent": intent, "args": sanitised(args), "element": evidence.get("element")})
    if "action" not in evidence:
        raise BadData("the evidence holds neither a model's output nor an action")
    return action_of(evidence["action"])
