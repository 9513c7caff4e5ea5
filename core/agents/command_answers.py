"""What a program says: an action with what goes with it, and what else it would do."""

from __future__ import annotations

import json

import msgspec

from webbench.core.action import Action
from webbench.core.agents.contract import Candidate, Proposal
from webbench.core.bounded_json import decode
from webbench.core.json_types import Json

MOST_ALTERNATIVES = 50
"""Of one answer; the rest is left out."""


def read_answer(line: str) -> Proposal:
    """A line of the program: an object with "action" (text, or JSON notation), or the action's text."""
    try:
        answer = decode(line)
    except ValueError:
        return Proposal(text=line, reply=line)
    if not isinstance(answer, dict) or "action" not in answer:
        return Proposal(text=answer if isinstance(answer, str) else line, reply=line)
    first = _candidate(answer)
    usage, others = answer.get("usage"), answer.get("alternatives")
    return Proposal(
        text=first.text,
        action=first.action,
        reasoning=first.reasoning,
        usage=usage if isinstance(usage, dict) else {},
        alternatives=_alternatives(others if isinstance(others, list) else []),
        reply=line,
    )


def _alternatives(given: list[Json]) -> tuple[Candidate, ...]:
    """Each is written like an answer; empty ones are left out."""
    whole = (one if isinstance(one, dict) and "action" in one else {"action": one} for one in given)
    read = map(_candidate, whole)
    return tuple(one for one in read if one.text or one.action is not None)[:MOST_ALTERNATIVES]


def _candidate(answer: dict[str, Json]) -> Candidate:
    """What stands under "action", "reasoning" and "score"."""
    wanted, reasoning = answer["action"], answer.get("reasoning", "")
    text, action = "", None
    try:
        action = None if isinstance(wanted, str) else msgspec.convert(wanted, type=Action)
    except (msgspec.ValidationError, OverflowError, ValueError):
        wanted = json.dumps(wanted)
    if action is None:
        text = wanted
    return Candidate(
        text=text,
        action=action,
        reasoning=reasoning if isinstance(reasoning, str) else json.dumps(reasoning),
        score=_number(answer.get("score")),
    )


def _number(value: Json) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e15:
        return None
    return float(value)
