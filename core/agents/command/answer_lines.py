"""The answer lines of a program: an action with what goes with it, and what else it would do."""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec

from webbench.core.action.action import Action
from webbench.core.agent import Candidate, Proposal
from webbench.core.json_types import Json
from webbench.core.model_call import ModelCall
from webbench.core.text.bounded_json import decode

MOST_ALTERNATIVES = 50
"""Of one answer; the rest is left out."""


MOST_CALLS = 100
"""Calls of models in one answer; the rest is left out."""


def ready_protocol(line: str) -> Json:
    """Of a line that only says that the program is ready: the protocol that it speaks; None for any other."""
    if '"ready"' not in line:
        return None
    try:
        said = decode(line)
    except ValueError:
        return None
    if not isinstance(said, dict) or said.get("type") != "ready" or "action" in said:
        return None
    return said.get("protocol", 0)


def read_answer(line: str) -> Proposal:
    """A line of the program: an object with "action" (text, or JSON notation), or the action's text.

    What it keeps stands under "state" in the proposal's state, and no more in its reply. Raises ValueError
    with the program's own words where it says that it failed.
    """
    try:
        answer = decode(line)
    except ValueError:
        return Proposal(text=line, reply=line)
    if isinstance(answer, dict) and isinstance(answer.get("error"), str) and not answer.get("action"):
        raise ValueError(answer["error"] or "it gives no reason")
    if not isinstance(answer, dict) or not {"action", "malformed"} & answer.keys():
        return Proposal(text=answer if isinstance(answer, str) else line, reply=line)
    if "state" in answer:
        line = json.dumps({key: value for key, value in answer.items() if key != "state"})
    first = _candidate({"action": "", **answer})
    usage, others, calls = answer.get("usage"), answer.get("alternatives"), _calls(answer.get("calls"))
    return Proposal(
        text=first.text,
        action=first.action,
        malformed=_text(answer, "malformed"),
        reasoning=first.reasoning,
        usage=usage if isinstance(usage, dict) else {},
        alternatives=_alternatives(others if isinstance(others, list) else []),
        calls=calls,
        prompt="" if calls else _text(answer, "prompt"),
        reply=_text(answer, "reply") or ("" if calls else line),
        state={"state": answer["state"]} if "state" in answer else {},
    )


def _calls(given: Json) -> tuple[ModelCall, ...]:
    """The calls that have the form of a record's; others are left out."""
    found: list[ModelCall] = []
    for one in given[:MOST_CALLS] if isinstance(given, list) else ():
        with suppress(msgspec.ValidationError):
            found.append(msgspec.convert(one, ModelCall))
    return tuple(found)


def _text(answer: dict[str, Json], key: str) -> str:
    """What stands under a key, "" for what is no text."""
    found = answer.get(key)
    return found if isinstance(found, str) else ""


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
