"""The recorded action of a turn, and whether the turn takes part in the evaluation."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.benchmarks.weblinx.pages.elements import Page, PageElements, element_of
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction
from webbench.benchmarks.weblinx.turns.intents import (
    CHANGE,
    CLICK,
    COPY,
    LOAD,
    PASTE,
    SAY,
    SCROLL,
    SUBMIT,
    TAB_REMOVE,
    TAB_SWITCH,
    TEXT_INPUT,
    intent_of,
)
from webbench.benchmarks.weblinx.turns.state import RecordedState, no_state
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

NEEDS_ELEMENT = frozenset((CHANGE, CLICK, TEXT_INPUT, SUBMIT))
_HEAVY = frozenset(("innerHTML", "outerHTML", "textContent"))
_FROM_ARGS = {
    TEXT_INPUT: {"text": "text"},
    CHANGE: {"value": "value"},
    SCROLL: {"x": "scrollX", "y": "scrollY"},
    COPY: {"text": "selected"},
    PASTE: {"text": "pasted"},
}
_FROM_PROPERTIES = {
    TAB_REMOVE: {"tab_id": "tabId"},
    TAB_SWITCH: {"tab_id_from": "tabIdOrigin", "tab_id_to": "tabId"},
}


def no_page() -> PageElements:
    return PageElements()


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a demonstration, chat or browser.

    Attributes:
        type: "chat" or "browser".
        intent: as recorded ("textInput"), None for a chat turn.
        args: the action's arguments; props: the browser event's properties.
        element: as recorded with the event: {"attributes", "bbox", "xpath", ...}.
        page: what is known of the page's elements, each time anew: the files behind it have a megabyte.
        state: tells which files and figures were recorded with it.
    """

    type: str
    intent: str | None = None
    args: JsonObject | None = None
    props: JsonObject | None = None
    element: JsonObject | None = None
    speaker: Json = None
    utterance: Json = None
    page: Callable[[], Page] = no_page
    state: Callable[[], RecordedState] = no_state


def reference_action(turn: Turn, page: Page) -> TurnAction:
    """What the person did. `intent` is None for a turn of another type.

    An element with an id is taken from the page: without HTML or boxes that have it, it is None. One without
    an id is taken as it was recorded. Raises `BadData` for a browser turn that lacks what its intent needs.
    """
    if turn.type == "chat":
        if turn.speaker is None or turn.utterance is None:
            raise BadData("a chat turn lacks its speaker or its utterance")
        return TurnAction(SAY, {"speaker": turn.speaker, "utterance": turn.utterance})
    if turn.type != "browser":
        return TurnAction(None)
    intent = intent_of(turn.intent)
    element = _recorded_element(turn.element, page) if turn.element else None
    return TurnAction(intent, _arguments(intent, turn), element)


def dropped(action: TurnAction | None, following: Turn | None) -> str:
    """Why a turn takes no part in the evaluation, "" where it does.

    Raises `BadData` where the published code fails: an element without attributes, and a click before a
    submit that has no element or no id.
    """
    if action is None or action.intent is None:
        return "it has no intent"
    if action.intent not in NEEDS_ELEMENT:
        return ""
    if action.element is None:
        return f"the page's HTML or boxes don't have the element of this {action.intent}, or are missing"
    if action.id is None:
        return f"the element of this {action.intent} has no id"
    if following is None or action.intent != CLICK:
        return ""
    if following.intent == COPY:
        return "a click before a copy"
    if following.intent == SUBMIT and _submitted(following) == action.id:
        return "a click before a submit of the same element"
    return ""


def _recorded_element(element: JsonObject, page: Page) -> JsonObject | None:
    attributes = element.get("attributes", {})
    if not isinstance(attributes, dict):
        raise BadData("the attributes of the recorded element are no object")
    identity = attributes.get(ID)
    if identity is not None:
        return element_of(page, identity)
    return {name: value for name, value in element.items() if name not in _HEAVY}


def _arguments(intent: str, turn: Turn) -> JsonObject:
    if intent == LOAD:
        props, args = _object(turn.props, "properties", intent), turn.args
        return {"url": props.get("url") or _object(args, "arguments", intent).get("url")}
    if intent in _FROM_ARGS:
        return _taken(_object(turn.args, "arguments", intent), _FROM_ARGS[intent], intent)
    if intent in _FROM_PROPERTIES:
        return _taken(_object(turn.props, "properties", intent), _FROM_PROPERTIES[intent], intent)
    return {}


def _object(value: JsonObject | None, what: str, intent: str) -> JsonObject:
    if value is None:
        raise BadData(f"a {intent} turn has no {what}")
    return value


def _taken(source: JsonObject, names: dict[str, str], intent: str) -> JsonObject:
    missing = [name for name in names.values() if name not in source]
    if missing:
        raise BadData(f'a {intent} turn lacks "{missing[0]}"')
    return {ours: source[theirs] for ours, theirs in names.items()}


def _submitted(turn: Turn) -> Json:
    attributes = (turn.element or {}).get("attributes")
    if not isinstance(attributes, dict) or ID not in attributes:
        raise BadData("a click is followed by a submit whose element has no id, so the two can't be compared")
    return attributes[ID]


def gold_of(wanted: TurnAction, dropped: str = "") -> JsonObject:
    """What a prediction is compared with, as a task keeps it."""
    return {"references": [msgspec.to_builtins(wanted)], "dropped": dropped}
