"""What other tools recorded, in our terms: a score somebody else gave, an action in a known language."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.json_types import Json
from webbench.core.observation import Observation
from webbench.core.score.score import Check, Score, Status, not_scored

RULES = "recorded"


def recorded_score(
    value: float | None, by: str, why: str, *, actual: Json = None, metrics: Mapping[str, float] | None = None
) -> Score:
    """A score that the source gives; it was not computed here, and says so.

    A figure below 0 or above 1 is kept as what it is, and is no score: means would take it for one.

    Args:
        value: None where the source leaves it open.
        by: who or what gave it: "WebArena's evaluator", "a person".
        why: one sentence.
        actual: the source's own words or figures.
    """
    if value is None:
        return not_scored(why, rules=RULES)
    if not 0 <= value <= 1:
        told = f"{value:g} is no share of 1: {why}"
        check = Check(
            name="recorded", target=by, actual=actual, status=Status.NOT_SCORED, counted=False, why=told
        )
        return not_scored(told, rules=RULES, checks=(check,))
    check = Check(name="recorded", target=by, actual=actual, value=value, why=why)
    return score_of_checks(value, by, (check,), metrics=metrics)


def score_of_checks(
    value: float,
    by: str,
    checks: Sequence[Check],
    *,
    combination: str = "as recorded",
    metrics: Mapping[str, float] | None = None,
) -> Score:
    """The same where the source tells of its checks, and how they came to the value."""
    if not math.isfinite(value):
        return not_scored(f"{value:g} is no figure", rules=RULES, checks=tuple(checks))
    return Score(
        status=Status.SCORED,
        value=value,
        rules=RULES,
        combination=combination,
        checks=tuple(checks),
        metrics=dict(metrics or {}),
        evaluator=by,
    )


def action_of(text: str, dialect: str, seen: Observation | None = None) -> Action | None:
    """The action of a text in one of our dialects, None where it is none there.

    Args:
        seen: the page it was done on; elements get the role, name and box that they have in it.
    """
    parsed = find_dialect(dialect).parse(text)
    if isinstance(parsed, ParseError):
        return None
    return parsed if seen is None else map_references(parsed, lambda reference: _with_node(reference, seen))


def _with_node(reference: ElementRef, seen: Observation) -> ElementRef:
    node = seen.node(reference.id) if reference.id is not None else None
    if node is None:
        return reference
    return msgspec.structs.replace(reference, role=node.role, name=node.name, box=node.box)
