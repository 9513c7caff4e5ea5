"""From what was done on a recorded turn to an action that does it again."""

from __future__ import annotations

from webbench.benchmarks.weblinx.demonstrations.course import CourseTurn
from webbench.benchmarks.weblinx.notation.prediction import COPY_KEYS, PASTE_KEYS, selector_of
from webbench.benchmarks.weblinx.turns import intents
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction
from webbench.core.action.action import (
    Action,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Noop,
    Press,
    Say,
    Scroll,
    Select,
    Submit,
    Type,
)
from webbench.core.json_types import Json
from webbench.core.observation import Box


def reenacted(turn: CourseTurn) -> Action:
    """The action of the turn; `Noop` where nothing tells what it was."""
    wanted = turn.wanted
    if wanted is None:
        return Noop()
    args, intent = wanted.args, wanted.intent
    match intent:
        case intents.SAY:
            return Say(text=str(args.get("utterance")))
        case intents.LOAD:
            return Goto(url=str(args.get("url")))
        case intents.SCROLL:
            return Scroll(dx=_number(args.get("x")), dy=_number(args.get("y")))
        case intents.TAB_CREATE:
            return NewTab()
        case intents.TAB_SWITCH:
            return FocusTab(index=int(_number(args.get("tab_id_to"))))
        case intents.TAB_REMOVE:
            return CloseTab(index=int(_number(args.get("tab_id"))))
        case intents.COPY:
            return Press(keys=COPY_KEYS, target=_target(wanted))
        case intents.PASTE:
            return Press(keys=PASTE_KEYS, target=_target(wanted))
    return _on_element(wanted) or _at_point(turn, wanted)


def _at_point(turn: CourseTurn, wanted: TurnAction) -> Action:
    """Where the mouse was, for a click or hover whose element has no id."""
    args = turn.turn.args or {}
    x, y = turn.turn.state().mouse or (_number(args.get("x")), _number(args.get("y")))
    return HoverAt(x=x, y=y) if wanted.intent == intents.HOVER else ClickAt(x=x, y=y)


def _on_element(wanted: TurnAction) -> Action | None:
    target = _target(wanted)
    if target is None:
        return None
    match wanted.intent:
        case intents.CLICK:
            return Click(target=target)
        case intents.HOVER:
            return Hover(target=target)
        case intents.TEXT_INPUT:
            return Type(target=target, text=str(wanted.args.get("text")))
        case intents.CHANGE:
            return Select(target=target, options=(str(wanted.args.get("value")),))
        case intents.SUBMIT:
            return Submit(target=target)
        case _:
            return None


def _target(wanted: TurnAction) -> ElementRef | None:
    """By the id in the markup, else by the recorded box, else None."""
    element = wanted.element or {}
    identity = (element.get("attributes") or {}).get(ID)
    if isinstance(identity, str):
        return ElementRef(selector=selector_of(identity))
    try:
        box = element["bbox"]
        left, top = float(box["left"]), float(box["top"])
        return ElementRef(box=Box(left, top, float(box["right"]) - left, float(box["bottom"]) - top))
    except (KeyError, TypeError, ValueError):
        return None


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
