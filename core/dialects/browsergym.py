"""BrowserGym's high-level action set: `fill('12', 'text')`, `click('12', button='right')`.

All functions of its published sets (bid, coord, nav, tab, chat, infeas) but those that hold a key or
button down across actions, move the focus and nothing else, or upload at a point: for these an error
names what to use instead. Where it has no function for something we can do, the shared JSON notation
says it. Ids may be given as numbers, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from webbench.core.action import (
    Action,
    Back,
    Button,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Drag,
    DragAt,
    ElementRef,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Noop,
    Press,
    Say,
    Scroll,
    Select,
    Stop,
    Type,
    Upload,
)
from webbench.core.dialects.calls import Calls
from webbench.core.dialects.forms import Form, Forms, Value, needed, optional
from webbench.core.dialects.text_dialect import TextDialect, Words
from webbench.core.observation import Observation

_BID = needed("bid", "element")
_X, _Y = needed("x", "number"), needed("y", "number")
_BUTTON = optional("button", "button", "left")
_INFEASIBLE = "infeasible: "
_INSTEAD = {
    "focus": "click",
    "mouse_down": "mouse_drag_and_drop",
    "mouse_up": "mouse_drag_and_drop",
    "keyboard_down": "keyboard_press",
    "keyboard_up": "keyboard_press",
    "mouse_upload_file": "upload_file",
}


def _click(target: ElementRef, button: Button, modifiers: tuple[str, ...]) -> Action:
    return Click(target=target, button=button, modifiers=modifiers)


def _double_click(target: ElementRef, button: Button, modifiers: tuple[str, ...]) -> Action:
    return Click(target=target, button=button, modifiers=modifiers, count=2)


def _wait(milliseconds: float) -> Action:
    return Noop(seconds=milliseconds / 1000)


_ELEMENTS = (
    Form(
        "click",
        (_BID, _BUTTON, optional("modifiers", "modifiers", [])),
        _click,
        "click an element",
        "click('12', button='right', modifiers=['Shift'])",
    ),
    Form(
        "dblclick",
        (_BID, _BUTTON, optional("modifiers", "modifiers", [])),
        _double_click,
        "click an element twice",
        "dblclick('12')",
    ),
    Form(
        "fill",
        (_BID, needed("value", "text"), optional("enable_autocomplete_menu", "flag", False)),
        lambda ref, value, _menu: Type(target=ref, text=value),
        "replace the content of a field",
        "fill('5', 'running shoes')",
    ),
    Form("clear", (_BID,), lambda ref: Type(target=ref, text=""), "empty a field", "clear('5')"),
    Form("check", (_BID,), lambda ref: Check(target=ref), "tick a box or radio button", "check('8')"),
    Form(
        "uncheck",
        (_BID,),
        lambda ref: Check(target=ref, checked=False),
        "take the tick away",
        "uncheck('8')",
    ),
    Form(
        "select_option",
        (_BID, needed("options", "choices")),
        lambda ref, options: Select(target=ref, options=options),
        "choose one or several options of a list by value or label",
        "select_option('7', ['red', 'green'])",
    ),
    Form("hover", (_BID,), lambda ref: Hover(target=ref), "move the mouse over an element", "hover('12')"),
    Form(
        "press",
        (_BID, needed("key_comb", "keys")),
        lambda ref, keys: Press(target=ref, keys=keys),
        "press keys on an element",
        "press('5', 'Control+a')",
    ),
    Form(
        "drag_and_drop",
        (needed("from_bid", "element"), needed("to_bid", "element")),
        lambda source, target: Drag(source=source, target=target),
        "drag one element onto another",
        "drag_and_drop('3', '4')",
    ),
    Form(
        "upload_file",
        (_BID, needed("file", "files")),
        lambda ref, files: Upload(target=ref, files=files),
        "give one or several files to a file field",
        "upload_file('6', 'receipt.pdf')",
    ),
)

_POINTS = (
    Form(
        "mouse_click",
        (_X, _Y, _BUTTON),
        lambda x, y, button: ClickAt(x=x, y=y, button=button),
        "click at a point",
        "mouse_click(320, 45.5)",
    ),
    Form(
        "mouse_dblclick",
        (_X, _Y, _BUTTON),
        lambda x, y, button: ClickAt(x=x, y=y, button=button, count=2),
        "click twice at a point",
        "mouse_dblclick(320, 45)",
    ),
    Form(
        "mouse_move",
        (_X, _Y),
        lambda x, y: HoverAt(x=x, y=y),
        "move the mouse to a point",
        "mouse_move(65.2, 158.5)",
    ),
    Form(
        "mouse_drag_and_drop",
        (
            needed("from_x", "number"),
            needed("from_y", "number"),
            needed("to_x", "number"),
            needed("to_y", "number"),
        ),
        lambda x, y, to_x, to_y: DragAt(x=x, y=y, to_x=to_x, to_y=to_y),
        "drag from one point to another",
        "mouse_drag_and_drop(10, 325, 235, 24)",
    ),
    Form(
        "scroll",
        (needed("delta_x", "number"), needed("delta_y", "number")),
        lambda dx, dy: Scroll(dx=dx, dy=dy),
        "scroll the page by pixels",
        "scroll(0, 200)",
    ),
    Form(
        "keyboard_press",
        (needed("key", "keys"),),
        lambda keys: Press(keys=keys),
        "press keys where the focus is",
        "keyboard_press('Control+a')",
    ),
    Form(
        "keyboard_type",
        (needed("text", "text"),),
        lambda text: Type(text=text, clear=False),
        "type where the focus is",
        "keyboard_type('hello')",
        ("keyboard_insert_text",),
    ),
)

_PAGES = (
    Form(
        "goto", (needed("url", "url"),), lambda url: Goto(url=url), "open an address", "goto('http://e.org')"
    ),
    Form("go_back", (), Back, "go back in history", "go_back()"),
    Form("go_forward", (), Forward, "go forward in history", "go_forward()"),
    Form("new_tab", (), NewTab, "open a tab", "new_tab()"),
    Form("tab_close", (), CloseTab, "close this tab", "tab_close()"),
    Form(
        "tab_focus",
        (needed("index", "tab"),),
        lambda index: FocusTab(index=index),
        "go to a tab",
        "tab_focus(0)",
    ),
    Form("noop", (optional("wait_ms", "number", 1000),), _wait, "wait, in milliseconds", "noop(500)"),
    Form(
        "send_msg_to_user",
        (needed("text", "text"),),
        lambda text: Say(text=text),
        "say something to the user; tasks that ask for an answer take it from here",
        "send_msg_to_user('Built in 1751.')",
    ),
    Form(
        "report_infeasible",
        (needed("reason", "text"),),
        lambda reason: Stop(answer=_INFEASIBLE + reason),
        "give up: the task can't be done",
        "report_infeasible('There is no email field.')",
    ),
)


def _express(action: Action) -> Words | None:
    return _express_element(action) or _express_rest(action)


def _express_element(action: Action) -> Words | None:
    match action:
        case Click(target=ElementRef(id=int() as id)):
            verb: Literal["click", "dblclick"] = "dblclick" if action.count == 2 else "click"
            if action.modifiers:
                return verb, [str(id), action.button, cast("list[Value]", list(action.modifiers))]
            return verb, [str(id), *_unless_left(action.button)]
        case Type(target=ElementRef(id=int() as id)):
            return ("fill", [str(id), action.text]) if action.text else ("clear", [str(id)])
        case Check(target=ElementRef(id=int() as id)):
            return ("check" if action.checked else "uncheck"), [str(id)]
        case Select(target=ElementRef(id=int() as id)):
            return "select_option", [str(id), _one_or_list(action.options)]
        case Hover(target=ElementRef(id=int() as id)):
            return "hover", [str(id)]
        case Press(target=ElementRef(id=int() as id)):
            return "press", [str(id), action.keys]
        case Drag(source=ElementRef(id=int() as source), target=ElementRef(id=int() as target)):
            return "drag_and_drop", [str(source), str(target)]
        case Upload(target=ElementRef(id=int() as id)):
            return "upload_file", [str(id), _one_or_list(action.files)]
    return None


def _express_rest(action: Action) -> Words | None:
    match action:
        case ClickAt():
            verb = "mouse_dblclick" if action.count == 2 else "mouse_click"
            return verb, [action.x, action.y, *_unless_left(action.button)]
        case HoverAt():
            return "mouse_move", [action.x, action.y]
        case DragAt():
            return "mouse_drag_and_drop", [action.x, action.y, action.to_x, action.to_y]
        case Scroll(target=None):
            return "scroll", [action.dx, action.dy]
        case Press(target=None):
            return "keyboard_press", [action.keys]
        case Type(target=None):
            return "keyboard_type", [action.text]
        case Goto():
            return "goto", [action.url]
        case FocusTab():
            return "tab_focus", [action.index]
        case Say():
            return "send_msg_to_user", [action.text]
        case Stop() if action.answer.startswith(_INFEASIBLE):
            return "report_infeasible", [action.answer.removeprefix(_INFEASIBLE)]
        case Noop():
            return "noop", [action.seconds * 1000]
    verb = _BARE.get(type(action), "")
    return (verb, []) if verb else None


_BARE: dict[type, str] = {Back: "go_back", Forward: "go_forward", NewTab: "new_tab", CloseTab: "tab_close"}


def _unless_left(button: Button) -> Sequence[Value]:
    return [] if button == "left" else [button]


def _one_or_list(texts: Sequence[str]) -> Value:
    return texts[0] if len(texts) == 1 else list(texts)


def _render(observation: Observation) -> str:
    from webbench.core.renderings.browsergym import browsergym_text

    return browsergym_text(observation)


def create() -> TextDialect:
    """The entry point."""
    grammar = Calls("'", quoted_ids=True)
    forms = Forms((*_ELEMENTS, *_POINTS, *_PAGES), instead=_INSTEAD)
    return TextDialect("browsergym", forms, grammar, _express, _render)
