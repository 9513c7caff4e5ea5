"""What is recorded of a prediction, and how the rule sets read it.

Evidence: {"output": the model's text, "element": the one it names, or null}, or of a prediction that is
already parsed {"action": {"intent", "args", "element"}}.
Gold: {"references": [action, ...], "dropped": why the turn takes no part in the evaluation, or ""}; with
several references each metric takes the best.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.notation.output import parse_output, sanitised
from webbench.benchmarks.weblinx.pages.elements import Page, UnreadablePage
from webbench.benchmarks.weblinx.scoring.metrics import Measure
from webbench.benchmarks.weblinx.scoring.predictions import predicted_action
from webbench.benchmarks.weblinx.scoring.rules import (
    PUBLISHED,
    RULE_SETS,
    TurnMetrics,
    rules_agree,
    rules_named,
    turn_metrics,
)
from webbench.benchmarks.weblinx.turns.action import TurnAction, action_of
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.scoring.metrics.chrf import overlap
from webbench.core.task import Task


class Reading(msgspec.Struct, frozen=True):
    """A prediction as one rule set reads it, and the reference actions."""

    predicted: TurnAction
    references: Sequence[TurnAction]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction under one rule set, the reference that explanations speak of, and all metrics.

    Attributes:
        measure: gave the n-gram overlaps behind the metrics.
    """

    predicted: TurnAction
    wanted: TurnAction
    metrics: TurnMetrics
    measure: Measure


def evidence_of(raw: str, page: Page) -> JsonObject:
    """What is recorded of a raw output: the text, and the element that it names on the page.

    Raises `UnreadablePage` where an element has to be looked for and the page can't be read.
    """
    for quoted_text in (False, True):
        try:
            action = predicted_action(raw, page, quoted_text=quoted_text)
        except UnreadablePage:
            raise
        except BadData:
            continue
        return {"output": raw, "element": action.element}
    return {"output": raw, "element": None}


def readings(task: Task, evidence: JsonObject) -> dict[str, Reading | BadData]:
    """By rule set: how it reads the prediction, or why it can't: a part is missing or has another shape."""
    found: dict[str, Reading | BadData] = {}
    for rules in RULE_SETS:
        published = found.get(PUBLISHED)
        if isinstance(published, Reading) and _without_numbers(published.predicted):
            found[rules] = published
            continue
        try:
            references = published.references if isinstance(published, Reading) else _references(task)
            found[rules] = Reading(predicted_action_of(evidence, rules), references)
        except BadData as error:
            found[rules] = error
    return found


def compared(reading: Reading, rules: str, measure: Measure = overlap) -> Compared:
    """Raises `BadData` as `turn_metrics`."""
    predicted, references = reading.predicted, reading.references
    return Compared(
        predicted=predicted,
        wanted=_nearest(predicted, references),
        metrics=turn_metrics(predicted, references, rules, measure),
        measure=measure,
    )


def agreed(found: Compared) -> bool:
    """Whether the rule sets, which read the prediction alike, measure it alike too."""
    return not found.metrics.intent_match or rules_agree(found.predicted.intent)


def _nearest(predicted: TurnAction, references: Sequence[TurnAction]) -> TurnAction:
    """The first reference of the same intent, else the first."""
    if len(references) == 1:
        return references[0]
    return next((one for one in references if one.intent == predicted.intent), references[0])


def _without_numbers(action: TurnAction) -> bool:
    """Rule sets read an output alike where no argument was taken for a number."""
    return {*map(type, action.args.values())} <= {str}


def _references(task: Task) -> Sequence[TurnAction]:
    references = task.gold.get("references")
    if not isinstance(references, list) or not references:
        raise BadData("the task holds no reference action")
    return [action_of(reference) for reference in references]


def predicted_action_of(evidence: JsonObject, rules: str) -> TurnAction:
    """The action, parsed as the rule set does: the paper leaves as text what stands in quotes.

    Raises `BadData` where the evidence holds none.
    """
    output = evidence.get("output")
    if isinstance(output, str):
        intent, args = parse_output(output, quoted_text=rules_named(rules).quoted_text)
        return action_of({"intent": intent, "args": sanitised(args), "element": evidence.get("element")})
    if "action" not in evidence:
        raise BadData("the evidence holds neither a model's output nor an action")
    return action_of(evidence["action"])
