"""BrowserGym's high-level action set: `fill('12', 'text')`, `click('12', button='right')`.

All functions of its published sets (bid, coord, nav, tab, chat, infeas) but those that hold a key or
button down across actions, move the focus and nothing else, or upload at a point: for these an error
names what to use instead. Where it has no function for something we can do, the shared JSON notation
says it. Ids may be given as numbers, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action import (
    Action,
    Back,
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
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.observation import Observation

_BID = needed("bid", "element")
_X, _Y = needed("x", "number"), needed("y", "number")
_BUTTON = optional("button", "button", "left")
_MODIFIERS = optional("modifiers", "modifiers", [])
_KEYS = needed("key_comb", "keys")
INFEASIBLE = "infeasible: "
"""Before the reason, in the answer that `report_infeasible` ends with."""

_INSTEAD = {
    "focus": "click",
    "mouse_down": "mouse_drag_and_drop",
    "mouse_up": "mouse_drag_and_drop",
    "keyboard_down": "keyboard_press",
    "keyboard_up": "keyboard_press",
    "mouse_upload_file": "upload_file",
}


def _fill(target: ElementRef, text: str, _menu: bool) -> Action:
    return Type(target=target, text=text)


def _say_fill(action: Action) -> Sequence[Value] | None:
    match action:
        case Type(target=ElementRef(id=int() as id), text=text) if text:
            return [id, text]
    return None


def _wait(milliseconds: float) -> Action:
    return Noop(seconds=milliseconds / 1000)


def _say_wait(action: Action) -> Sequence[Value] | None:
    return [action.seconds * 1000] if isinstance(action, Noop) else None


def _give_up(reason: str) -> Action:
    return Stop(answer=INFEASIBLE + reason)


def _say_why(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, Stop) or not action.answer.startswith(INFEASIBLE):
        return None
    return [action.answer.removeprefix(INFEASIBLE)]


_ELEMENTS = (
    says(
        "click",
        Click,
        "click an element",
        "click('12', button='right', modifiers=['Shift'])",
        target=_BID,
        button=_BUTTON,
        modifiers=_MODIFIERS,
    ),
    says(
        "dblclick",
        Click,
        "click an element twice",
        "dblclick('12')",
        target=_BID,
        button=_BUTTON,
        modifiers=_MODIFIERS,
        count=2,
    ),
    Form(
        "fill",
        (_BID, needed("value", "text"), optional("enable_autocomplete_menu", "flag", False)),
        _fill,
        "replace the content of a field",
        "fill('5', 'running shoes')",
        say=_say_fill,
    ),
    says("clear", Type, "empty a field", "clear('5')", target=_BID, text=""),
    says("check", Check, "tick a box or radio button", "check('8')", target=_BID),
    says("uncheck", Check, "take the tick away", "uncheck('8')", target=_BID, checked=False),
    says(
        "select_option",
        Select,
        "choose one or several options of a list by value or label",
        "select_option('7', ['red', 'green'])",
        target=_BID,
        options=needed("options", "choices"),
    ),
    says("hover", Hover, "move the mouse over an element", "hover('12')", target=_BID),
    says("press", Press, "press keys on an element", "press('5', 'Control+a')", target=_BID, keys=_KEYS),
    says(
        "drag_and_drop",
        Drag,
        "drag one element onto another",
        "drag_and_drop('3', '4')",
        source=needed("from_bid", "element"),
        target=needed("to_bid", "element"),
    ),
    says(
        "upload_file",
        Upload,
        "give one or several files to a file field",
        "upload_file('6', 'receipt.pdf')",
        target=_BID,
        files=needed("file", "files"),
    ),
)

_POINTS = (
    says("mouse_click", ClickAt, "click at a point", "mouse_click(320, 45.5)", x=_X, y=_Y, button=_BUTTON),
    says(
        "mouse_dblclick",
        ClickAt,
        "click twice at a point",
        "mouse_dblclick(320, 45)",
        x=_X,
        y=_Y,
        button=_BUTTON,
        count=2,
    ),
    says("mouse_move", HoverAt, "move the mouse to a point", "mouse_move(65.2, 158.5)", x=_X, y=_Y),
    says(
        "mouse_drag_and_drop",
        DragAt,
        "drag from one point to another",
        "mouse_drag_and_drop(10, 325, 235, 24)",
        x=needed("from_x", "number"),
        y=needed("from_y", "number"),
        to_x=needed("to_x", "number"),
        to_y=needed("to_y", "number"),
    ),
    says(
        "scroll",
        Scroll,
        "scroll the page by pixels",
        "scroll(0, 200)",
        dx=needed("delta_x", "number"),
        dy=needed("delta_y", "number"),
    ),
    says(
        "keyboard_press",
        Press,
        "press keys where the focus is",
        "keyboard_press('Control+a')",
        keys=needed("key", "keys"),
    ),
    says(
        "keyboard_type",
        Type,
        "type where the focus is",
        "keyboard_type('hello')",
        aliases=("keyboard_insert_text",),
        text=needed("text", "text"),
        clear=False,
    ),
)

_PAGES = (
    says("goto", Goto, "open an address", "goto('http://e.org')", url=needed("url", "url")),
    says("go_back", Back, "go back in history", "go_back()"),
    says("go_forward", Forward, "go forward in history", "go_forward()"),
    says("new_tab", NewTab, "open a tab", "new_tab()"),
    says("tab_close", CloseTab, "close this tab", "tab_close()"),
    says("tab_focus", FocusTab, "go to a tab", "tab_focus(0)", index=needed("index", "tab")),
    Form(
        "noop",
        (optional("wait_ms", "number", 1000),),
        _wait,
        "wait, in milliseconds",
        "noop(500)",
        say=_say_wait,
    ),
    says(
        "send_msg_to_user",
        Say,
        "say something to the user; tasks that ask for an answer take it from here",
        "send_msg_to_user('Built in 1751.')",
        text=needed("text", "text"),
    ),
    Form(
        "report_infeasible",
        (needed("reason", "text"),),
        _give_up,
        "give up: the task can't be done",
        "report_infeasible('There is no email field.')",
        say=_say_why,
    ),
)


def _render(observation: Observation) -> str:
    from webbench.core.renderings.browsergym import browsergym_text

    return browsergym_text(observation)


def create() -> TextDialect:
    """The entry point."""
    grammar = Calls("'", quoted_ids=True)
    forms = Forms((*_ELEMENTS, *_POINTS, *_PAGES), instead=_INSTEAD)
    return TextDialect("browsergym", forms, grammar, _render)
