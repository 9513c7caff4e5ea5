"""The explanation of a turn's score: one check per comparison, from the headline down."""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec

from webbench.benchmarks.weblinx.scoring.evidence import Compared
from webbench.benchmarks.weblinx.scoring.metrics import COMPARED, UNREAD_TEXTS, compared_texts, url_parts
from webbench.benchmarks.weblinx.scoring.rules import rules_named
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction
from webbench.benchmarks.weblinx.turns.intents import (
    ELEMENT_INTENTS,
    PAPER_ELEMENT_GROUP,
    PAPER_TEXT_GROUP,
    SCROLL,
)
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Status

CHRF_CLAUSE = "chrF: published = F2, recall counts more; paper = F1"
QUOTES_CLAUSE = "numbers in quotes: published = numbers, which have no chrF; paper = text"
HOST_CLAUSE = 'host: published = without every "w" and "." it begins with; paper = without "www."'
GROUPS_CLAUSE = (
    "intents that count: published = all that have an element or a text; "
    "paper = say, load, textinput, click, submit"
)
_SHOWN = 60

PAPER_GROUPS = PAPER_ELEMENT_GROUP | PAPER_TEXT_GROUP


Checks = tuple[Check, Check, Check]
"""Intent, the metrics that are combined, and exact match, which is shown but not counted."""


def checks_of(
    found: Compared, beside: Compared | None, rules: str, explained: Checks | None = None
) -> Checks:
    """The checks of a turn under one rule set.

    Args:
        beside: the same turn under the other rule set, None where that one can't score it.
        explained: its checks, where they are known: those that say the same of both are taken from there.
    """
    if explained is None or beside is None or beside.predicted is not found.predicted:
        intent = _intent(found.predicted.intent, found.wanted.intent)
        return intent, _overall(found, beside, rules), _exact(found)
    if found is beside:
        return explained
    intent, _, exact = explained
    return intent, _overall(found, beside, rules), exact


def combination(found: Compared) -> str:
    """How the headline follows from the checks."""
    if not found.metrics.intent_match:
        return "0 because the intent differs; conditional means leave the turn out"
    return f"intent match x {_counted(found)}"


@lru_cache(maxsize=512)
def _intent(predicted: str | None, wanted: str | None) -> Check:
    same = predicted == wanted
    return Check(
        name="intent match",
        target="intent",
        actual=predicted,
        expected=wanted,
        value=float(same),
        why=f"both are {wanted}" if same else f"{predicted} was predicted, {wanted} was done",
    )


def _overall(found: Compared, beside: Compared | None, rules: str) -> Check:
    if not found.metrics.intent_match:
        return _NOT_COMPARED
    value = found.metrics.overall
    clause = "" if found.wanted.intent in PAPER_GROUPS else GROUPS_CLAUSE
    if value is None:
        why = f"there is no metric for {found.wanted.intent} under these rules"
        return _left_out("overall", "action", why, clause)
    counted = _counted(found)
    return Check(
        name="overall",
        target="action",
        value=value,
        why=f"a {found.wanted.intent} is worth its {counted}",
        clause=clause,
        combination=counted,
        checks=_metrics(found, beside, rules, counted),
    )


def _counted(found: Compared) -> str:
    metrics = found.metrics
    if metrics.iou is not None and metrics.chrf is not None:
        return "product of IoU and chrF"
    if metrics.urlf is not None:
        return "URL-F"
    if metrics.chrf is not None:
        return "chrF"
    return "no metric" if metrics.iou is None else "IoU"


def _metrics(found: Compared, beside: Compared | None, rules: str, counted: str) -> tuple[Check, ...]:
    checks = [_iou(found), _chrf(found, beside, rules), _urlf(found, beside, rules)]
    return tuple(
        check if check.name in counted else msgspec.structs.replace(check, counted=False)
        for check in checks
        if check is not None
    )


def _iou(found: Compared) -> Check | None:
    if found.metrics.iou is None:
        return None
    if math.isnan(found.metrics.iou):
        return _left_out("IoU", "element", "a box has no end, so its IoU is no number")
    return Check(
        name="IoU",
        target="element",
        actual=_compared_element(found.predicted),
        expected=_compared_element(found.wanted),
        value=found.metrics.iou,
        why=_why_iou(found, found.metrics.iou),
    )


def _why_iou(found: Compared, value: float) -> str:
    predicted, wanted = found.predicted.element, found.wanted.element
    if found.wanted.intent == SCROLL and not wanted:
        return "a scroll has no element, so its IoU is 0 however right it is"
    if not wanted:
        return "the reference has no element"
    if not predicted:
        return "the prediction names no element that the page has"
    if not predicted.get("bbox") or not wanted.get("bbox"):
        return "an element has no box"
    if _identity(found.predicted) is not None and _identity(found.predicted) == _identity(found.wanted):
        return "the same element"
    return f"another element, {'which shares area with it' if value else 'elsewhere on the page'}"


def _identity(action: TurnAction) -> Json:
    attributes = (action.element or {}).get("attributes")
    return attributes.get(ID) if isinstance(attributes, dict) else None


def _compared_element(action: TurnAction) -> Json:
    if not action.element:
        return None
    return {"id": _identity(action), "bbox": action.element.get("bbox")}


def _chrf(found: Compared, beside: Compared | None, rules: str) -> Check | None:
    value = found.metrics.chrf
    if value is None:
        return None
    predicted, wanted = compared_texts(found.predicted, found.wanted)
    if isinstance(predicted, str) and isinstance(wanted, str):
        precision, recall = found.measure(predicted, wanted)
        beta = rules_named(rules).beta
        why = (
            f"of characters, up to six in a row, precision is {precision:.3f}, recall {recall:.3f}; F{beta:g}"
        )
    else:
        why = _why_no_text(found, predicted)
    return Check(
        name="chrF",
        target="text",
        actual=predicted,
        normalised="".join(predicted.split()) if isinstance(predicted, str) else None,
        expected=wanted,
        value=value,
        why=why,
        clause=_chrf_clause(found, beside),
    )


def _why_no_text(found: Compared, predicted: Json) -> str:
    if found.wanted.intent in UNREAD_TEXTS:
        return f"the rules take no text from a {found.wanted.intent}, so its chrF is 0 however right it is"
    if predicted is None:
        return "the prediction has no text to compare"
    if isinstance(predicted, str):
        return "the reference has no text to compare"
    return f"the prediction is read as {type(predicted).__name__} {str(predicted)[:_SHOWN]}, which is no text"


def _chrf_clause(found: Compared, beside: Compared | None) -> str:
    if beside is None or beside.metrics.chrf is None or beside.metrics.chrf == found.metrics.chrf:
        return ""
    texts = (compared_texts(one.predicted, one.wanted)[0] for one in (found, beside))
    return CHRF_CLAUSE if all(isinstance(text, str) for text in texts) else QUOTES_CLAUSE


def _urlf(found: Compared, beside: Compared | None, rules: str) -> Check | None:
    value = found.metrics.urlf
    if value is None:
        return None
    predicted, wanted = (action.args.get("url") for action in (found.predicted, found.wanted))
    whole = rules_named(rules).whole_prefix
    mine, other = _parts(predicted, whole), _parts(wanted, whole)
    other_value = value if beside is None or beside.metrics.urlf is None else beside.metrics.urlf
    return Check(
        name="URL-F",
        target="url",
        actual=predicted,
        normalised=sorted(mine),
        expected=wanted,
        value=value,
        why=f"{len(mine & other)} of {len(mine)} predicted parts are among the {len(other)} of the reference",
        clause="" if value == other_value else HOST_CLAUSE,
    )


def _parts(url: Json, whole_prefix: bool) -> frozenset[str]:
    """Empty for what is no address."""
    try:
        return url_parts(url, whole_prefix) if url else frozenset()
    except (ValueError, BadData):
        return frozenset()


def _exact(found: Compared) -> Check:
    same = bool(found.metrics.exact_match)
    mine, other = (_parts_of_action(action, found.wanted) for action in (found.predicted, found.wanted))
    return Check(
        name="exact match",
        target="action",
        actual=mine,
        expected=other,
        value=float(same),
        counted=False,
        why="intent, element and argument are equal" if same else _why_not_exact(mine, other, found.wanted),
    )


def _parts_of_action(action: TurnAction, wanted: TurnAction) -> JsonObject:
    """What an exact match compares in an action whose intent is that of the reference."""
    parts: JsonObject = {"intent": action.intent}
    if action.intent != wanted.intent:
        return parts
    if action.intent in ELEMENT_INTENTS:
        parts["element"] = _identity(action)
    for name in COMPARED.get(action.intent or "", ()):
        parts[name] = action.args.get(name)
    return parts


def _why_not_exact(mine: JsonObject, other: JsonObject, wanted: TurnAction) -> str:
    if mine["intent"] != other["intent"]:
        return "the intent differs"
    if "element" in other and not wanted.element:
        return f"the reference has no element, which a {wanted.intent} needs for an exact match"
    differing = [_PART_NAMES.get(name, name) for name in mine if mine[name] != other[name]]
    if differing:
        return f"{' and '.join(differing)} {'differs' if len(differing) == 1 else 'differ'}"
    return "the elements have no id to be told by"


_PART_NAMES = {"element": "the element's id", "url": "the address"} | {
    name: f"the {name}" for name in ("utterance", "value", "text", "x", "y")
}


def _left_out(name: str, target: str, why: str, clause: str = "") -> Check:
    return Check(name=name, target=target, status=Status.NOT_SCORED, counted=False, why=why, clause=clause)


_NOT_COMPARED = _left_out("overall", "action", "not compared, because the intent differs")
