"""The verbs of the bracketed languages: one for every action on elements, points and pages.

`type` without its last argument presses Enter, `scroll` moves by one viewport, and a text may hold
brackets, as in WebArena's published code. `type` replaces what is in a field, where that code clicks
into the field and types on; `append` does that.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action import (
    Action,
    AnswerDialog,
    Back,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Drag,
    DragAt,
    FocusTab,
    Forward,
    GetHtml,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Noop,
    Press,
    Reload,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
    Upload,
)
from webbench.core.dialects.forms import Form, Value, needed, optional
from webbench.core.dialects.saying import says

_ID = needed("id", "element")
_ANY = optional("id", "element", None)
_TEXT = needed("text", "text")
_KEYS = needed("keys", "keys")
_X, _Y = needed("x", "number"), needed("y", "number")
_DX, _DY = needed("dx", "number"), needed("dy", "number")
_NO_ENTER = optional("press_enter_after", "flag", False, always=True)
_STEPS = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
_DIRECTIONS = {step: direction for direction, step in _STEPS.items()}


def _scroll(direction: str) -> Action:
    dx, dy = _STEPS[direction]
    return Scroll(dx=dx, dy=dy, unit="viewports")


def _say_scroll(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, Scroll) or action.unit != "viewports":
        return None
    direction = _DIRECTIONS.get((action.dx, action.dy))
    return [direction] if direction else None


def _answer(answer: str, text: str) -> Action:
    return AnswerDialog(accept=answer == "accept", text=text)


def _say_answer(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, AnswerDialog):
        return None
    return ["accept" if action.accept else "dismiss", *([action.text] if action.text else [])]


ELEMENTS = (
    says("click", Click, "click an element", "click [12]", target=_ID),
    says(
        "type",
        Type,
        "replace the content of a field; 0 at the end leaves Enter out",
        "type [5] [running shoes] [1]",
        target=_ID,
        text=_TEXT,
        enter=optional("press_enter_after", "flag", True, always=True),
    ),
    says(
        "append",
        Type,
        "type behind what is in a field",
        "append [5] [, size 44]",
        target=_ID,
        text=_TEXT,
        enter=_NO_ENTER,
        clear=False,
    ),
    says("hover", Hover, "move the mouse over an element", "hover [12]", target=_ID),
    says("press", Press, "press keys", "press [Ctrl+a]", keys=_KEYS),
    says("press_on", Press, "press keys on an element", "press_on [5] [Enter]", target=_ID, keys=_KEYS),
    says(
        "select",
        Select,
        "choose options of a list by label or value; none clears it",
        "select [7] [Red]",
        aliases=("select_option",),
        target=_ID,
        options=optional("option", "choices", []),
    ),
    says("check", Check, "tick a box or choose a radio button", "check [8]", target=_ID),
    says("uncheck", Check, "take the tick away", "uncheck [8]", target=_ID, checked=False),
    says("set", SetRange, "move a slider", "set [9] [3]", target=_ID, value=needed("value", "number")),
    says("double_click", Click, "click twice", "double_click [12]", target=_ID, count=2),
    says("right_click", Click, "click with the right button", "right_click [12]", target=_ID, button="right"),
    says(
        "drag",
        Drag,
        "drag one element onto another",
        "drag [3] [4]",
        source=needed("from", "element"),
        target=needed("to", "element"),
    ),
    says(
        "upload",
        Upload,
        "give files to a file field",
        "upload [6] [receipt.pdf]",
        target=_ID,
        files=needed("file", "files"),
    ),
    says("scroll_to", ScrollTo, "bring it into view", "scroll_to [12]", target=_ID),
    says("submit", Submit, "submit the task's form, or the form of an element", "submit", target=_ANY),
    says("get_html", GetHtml, "read the HTML of the page or of an element", "get_html [12]", target=_ANY),
)

POINTS = (
    says("click_at", ClickAt, "click at a point", "click_at [320] [45.5]", x=_X, y=_Y),
    says(
        "double_click_at",
        ClickAt,
        "click twice at a point",
        "double_click_at [320] [45]",
        x=_X,
        y=_Y,
        count=2,
    ),
    says(
        "right_click_at",
        ClickAt,
        "click at a point with the right button",
        "right_click_at [320] [45]",
        x=_X,
        y=_Y,
        button="right",
    ),
    says("hover_at", HoverAt, "point somewhere", "hover_at [9] [9]", x=_X, y=_Y),
    says(
        "drag_at",
        DragAt,
        "drag from one point to another",
        "drag_at [10] [10] [200] [10]",
        x=_X,
        y=_Y,
        to_x=needed("to_x", "number"),
        to_y=needed("to_y", "number"),
    ),
    Form(
        "scroll",
        (needed("direction", "direction"),),
        _scroll,
        "scroll the page by one viewport: up, down, left or right",
        "scroll [down]",
        say=_say_scroll,
    ),
    says("scroll_by", Scroll, "scroll the page by pixels", "scroll_by [0] [300]", dx=_DX, dy=_DY),
    says(
        "scroll_in",
        Scroll,
        "scroll inside an element by pixels",
        "scroll_in [20] [0] [300]",
        target=_ID,
        dx=_DX,
        dy=_DY,
    ),
    says(
        "type_here",
        Type,
        "type where the focus is",
        "type_here [hello]",
        text=_TEXT,
        enter=_NO_ENTER,
        clear=False,
    ),
)

PAGES = (
    says("goto", Goto, "open an address", "goto [http://e.org]", url=needed("url", "url")),
    says("go_back", Back, "go back in history", "go_back"),
    says("go_forward", Forward, "go forward in history", "go_forward"),
    says("reload", Reload, "load the page again", "reload"),
    says("new_tab", NewTab, "open a tab", "new_tab", url=optional("url", "url", "")),
    says("tab_focus", FocusTab, "go to a tab", "tab_focus [0]", index=needed("tab_index", "tab")),
    says(
        "close_tab",
        CloseTab,
        "close this tab, or another one",
        "close_tab",
        aliases=("page_close",),
        index=optional("tab_index", "tab", None),
    ),
    Form(
        "dialog",
        (needed("answer", "answer"), optional("text", "text", "")),
        _answer,
        "answer the open dialog; the text is for a prompt",
        "dialog [accept] [my answer]",
        say=_say_answer,
    ),
    says("screenshot", CaptureScreen, "take a picture", "screenshot"),
    says(
        "stop",
        Stop,
        "end the task, with an answer if it asks for one",
        "stop [42]",
        answer=optional("answer", "text", ""),
    ),
    says("noop", Noop, "do nothing", "noop", aliases=("none",)),
    says("wait", Noop, "wait", "wait [2]", seconds=needed("seconds", "number")),
)
