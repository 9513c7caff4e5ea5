"""From an action of an actor to a prediction: intent, arguments and element as WebLINX compares them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.benchmarks.weblinx.notation.grammar import reads_back, written
from webbench.benchmarks.weblinx.pages.elements import Page, element_at, element_of, inferred_element
from webbench.benchmarks.weblinx.turns import intents
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.action.action import (
    Action,
    Check,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Press,
    Say,
    Scroll,
    Select,
    Submit,
    Type,
    target_of,
    verb,
)
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject

NAVIGATOR = "navigator"
COPY_KEYS, PASTE_KEYS = "Control+c", "Control+v"

Uid = Callable[[ElementRef], str]
"""The id in the page's markup of the element that a reference means, "" where it names no element of the
page. Raises `ActionFailed` for an element that isn't there."""


class Prediction(msgspec.Struct, frozen=True):
    """What an actor predicts for a turn.

    Attributes:
        text: in WebLINX's grammar.
        element: the one it names, as evidence keeps it; None for none.
    """

    intent: str
    args: JsonObject
    text: str
    element: JsonObject | None = None

    def evidence(self) -> JsonObject:
        """What the evaluator reads: the text, or where quotes in it would confuse a reader, the action."""
        if reads_back(self.text, self.intent, self.args):
            return {"output": self.text, "element": self.element}
        return {"action": {"intent": self.intent, "args": self.args, "element": self.element}}


def predicted(action: Action, page: Page, uid: Uid) -> Prediction:
    """Raises `ActionFailed` for what is no action of WebLINX, and for an element that can't be found."""
    intent, args = _intent_and_arguments(action)
    target = target_of(action)
    if target is not None:
        return _of_element(intent, args, target, page, uid)
    if intent in (intents.TEXT_INPUT, intents.SUBMIT):
        raise ActionFailed(f"{intent} needs an element", f'write: {intent}(uid="…", …)')
    element = inferred_element(intent, args, page)
    return Prediction(intent, args, written(intent, args), element)


def _of_element(intent: str, args: JsonObject, target: ElementRef, page: Page, uid: Uid) -> Prediction:
    """By its id, or by the middle of its box where a box is all that is given."""
    found = uid(target)
    if found:
        args = {"uid": found, **args}
        return Prediction(intent, args, written(intent, args), element_of(page, found))
    if target.box is None:
        raise ActionFailed(f"{intent} needs an element of the page", "name it by its id or its corners")
    x, y = target.box.centre
    corners = {
        "top": target.box.y,
        "left": target.box.x,
        "right": target.box.x + target.box.width,
        "bottom": target.box.y + target.box.height,
    }
    args = {**corners, **args}
    return Prediction(intent, args, written(intent, args), element_of(page, element_at(page.boxes, x, y)))


def _intent_and_arguments(action: Action) -> tuple[str, JsonObject]:
    """Intent and arguments, without the element."""
    match action:
        case Click() | Check():
            return intents.CLICK, {}
        case ClickAt(x=x, y=y):
            return intents.CLICK, {"x": x, "y": y}
        case Hover():
            return intents.HOVER, {}
        case HoverAt(x=x, y=y):
            return intents.HOVER, {"x": x, "y": y}
        case Type(text=text):
            return intents.TEXT_INPUT, {"text": text}
        case Select(options=options):
            return intents.CHANGE, {"value": ", ".join(options)}
        case Submit():
            return intents.SUBMIT, {}
        case Scroll(dx=x, dy=y, unit="pixels"):
            return intents.SCROLL, {"x": x, "y": y}
        case Goto(url=url):
            return intents.LOAD, {"url": url}
        case Say(text=text):
            return intents.SAY, {"speaker": NAVIGATOR, "utterance": text}
        case _:
            return _said_of_tabs_and_clipboard(action)


def _said_of_tabs_and_clipboard(action: Action) -> tuple[str, JsonObject]:
    match action:
        case NewTab():
            return intents.TAB_CREATE, {}
        case FocusTab(index=tab):
            return intents.TAB_SWITCH, {"target": tab}
        case CloseTab(index=tab):
            return intents.TAB_REMOVE, {"target": tab}
        case Press(keys=keys) if keys == COPY_KEYS:
            return intents.COPY, {}
        case Press(keys=keys) if keys == PASTE_KEYS:
            return intents.PASTE, {}
        case _:
            raise ActionFailed(
                f'a demonstration knows no "{verb(action)}"',
                "predict one of say, click, hover, textinput, change, submit, scroll, load, copy, paste, "
                "tabcreate, tabswitch, tabremove",
            )


def selector_of(uid: str) -> str:
    """The element as a CSS selector, which is how a fingerprint keeps it."""
    return f'[{ID}="{uid}"]'


def uid_in(selector: str) -> str:
    """The id in such a selector, "" in any other."""
    head, tail = f'[{ID}="', '"]'
    return selector[len(head) : -len(tail)] if selector.startswith(head) and selector.endswith(tail) else ""
