"""BrowserGym's high-level action set: `fill('12', 'text')`, `click('12', button='right')`.

All functions of its published sets (chat, infeas, bid, coord, nav, tab, and those of benchmarks, which are
made of the same), and `check` and `uncheck`, which it has outside its sets. Where it has no function for
something we can do, the shared JSON notation says it. Ids may be given as numbers, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action.action import (
    Action,
    CloseTab,
    ElementRef,
    Focus,
    GetHtml,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Noop,
    Say,
    Scroll,
    Select,
    Stop,
    Type,
    UploadAt,
)
from webbench.core.dialects.forms import Form, Forms, Value, needed, optional
from webbench.core.dialects.notations.calls import Calls
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.dialects.verbs import (
    CHECK,
    CLICK,
    CLICK_AT,
    DOUBLE_CLICK,
    DOUBLE_CLICK_AT,
    DRAG,
    DRAG_AT,
    FOCUS_TAB,
    GO_BACK,
    GO_FORWARD,
    GOTO,
    HOVER,
    HOVER_AT,
    NEW_TAB,
    PRESS,
    PRESS_ON,
    TYPE_HERE,
    UNCHECK,
    UPLOAD,
)
from webbench.core.observation import Observation

_BID = needed("bid", "element")
_X, _Y = needed("x", "number"), needed("y", "number")
_BUTTON = optional("button", "button", "left")
_MODIFIERS = optional("modifiers", "modifiers", [])
_KEY = needed("key", "keys")
INFEASIBLE = "infeasible: "
"""Before the reason, in the answer that `report_infeasible` ends with."""


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
    CLICK.form(
        "click",
        "click('12', button='right', modifiers=['Shift'])",
        target=_BID,
        button=_BUTTON,
        modifiers=_MODIFIERS,
    ),
    DOUBLE_CLICK.form("dblclick", "dblclick('12')", target=_BID, button=_BUTTON, modifiers=_MODIFIERS),
    Form(
        "fill",
        (_BID, needed("value", "text"), optional("enable_autocomplete_menu", "flag", False)),
        _fill,
        "replace the content of a field",
        "fill('5', 'running shoes')",
        say=_say_fill,
    ),
    says("clear", Type, "empty a field", "clear('5')", target=_BID, text=""),
    CHECK.form("check", "check('8')", target=_BID),
    UNCHECK.form("uncheck", "uncheck('8')", target=_BID),
    says(
        "select_option",
        Select,
        "choose one or several options of a list by value or label",
        "select_option('7', ['red', 'green'])",
        target=_BID,
        options=needed("options", "choices"),
    ),
    HOVER.form("hover", "hover('12')", target=_BID),
    says("focus", Focus, "give an element the keyboard", "focus('5')", target=_BID),
    PRESS_ON.form("press", "press('5', 'Control+a')", target=_BID, keys=needed("key_comb", "keys")),
    DRAG.form(
        "drag_and_drop",
        "drag_and_drop('3', '4')",
        source=needed("from_bid", "element"),
        target=needed("to_bid", "element"),
    ),
    UPLOAD.form("upload_file", "upload_file('6', 'receipt.pdf')", target=_BID),
    says("get_element_html", GetHtml, "read the HTML of an element", "get_element_html('12')", target=_BID),
)

_POINTS = (
    CLICK_AT.form("mouse_click", "mouse_click(320, 45.5)", button=_BUTTON),
    DOUBLE_CLICK_AT.form("mouse_dblclick", "mouse_dblclick(320, 45)", button=_BUTTON),
    says(
        "mouse_down",
        MouseDown,
        "move the mouse to a point and hold a button",
        "mouse_down(140, 580)",
        x=_X,
        y=_Y,
        button=_BUTTON,
    ),
    says(
        "mouse_up",
        MouseUp,
        "move the mouse to a point and let go of a button",
        "mouse_up(250, 120)",
        x=_X,
        y=_Y,
        button=_BUTTON,
    ),
    HOVER_AT.form("mouse_move", "mouse_move(65.2, 158.5)"),
    DRAG_AT.form(
        "mouse_drag_and_drop",
        "mouse_drag_and_drop(10, 325, 235, 24)",
        x=needed("from_x", "number"),
        y=needed("from_y", "number"),
    ),
    says(
        "scroll",
        Scroll,
        "scroll what is under the mouse by pixels",
        "scroll(0, 200)",
        dx=needed("delta_x", "number"),
        dy=needed("delta_y", "number"),
        at_mouse=True,
    ),
    PRESS.form("keyboard_press", "keyboard_press('Control+a')", keys=_KEY),
    says("keyboard_down", KeyDown, "hold a key", "keyboard_down('Shift')", key=_KEY),
    says("keyboard_up", KeyUp, "let go of a key", "keyboard_up('Shift')", key=_KEY),
    TYPE_HERE.form("keyboard_type", "keyboard_type('hello')"),
    says(
        "keyboard_insert_text",
        Type,
        "put a text in where the focus is, without keys",
        "keyboard_insert_text('hello')",
        text=needed("text", "text"),
        clear=False,
        at_once=True,
    ),
    says(
        "mouse_upload_file",
        UploadAt,
        "click at a point and give files to the file dialog that opens",
        "mouse_upload_file(132, 547, 'receipt.pdf')",
        x=_X,
        y=_Y,
        files=needed("file", "files"),
    ),
)

_PAGES = (
    GOTO.form("goto", "goto('http://e.org')"),
    GO_BACK.form("go_back", "go_back()"),
    GO_FORWARD.form("go_forward", "go_forward()"),
    NEW_TAB.form("new_tab", "new_tab()"),
    says("tab_close", CloseTab, "close this tab", "tab_close()"),
    FOCUS_TAB.form("tab_focus", "tab_focus(0)"),
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


FORMS = Forms((*_ELEMENTS, *_POINTS, *_PAGES))


def _render(observation: Observation) -> str:
    from webbench.core.renderings.browsergym import browsergym_text

    return browsergym_text(observation)


def create() -> TextDialect:
    """The entry point."""
    grammar = Calls("'", quoted_ids=True)
    return TextDialect("browsergym", FORMS, grammar, _render)
