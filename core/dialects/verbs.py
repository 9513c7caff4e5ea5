"""Verbs that several notations have: what each does, its arguments and its help, told once.

A notation names them: `CLICK.form("click", "click [12]")`. Verbs of one notation alone stand with it.
"""

from __future__ import annotations

from webbench.core.action.action import (
    Back,
    Check,
    Click,
    ClickAt,
    Drag,
    DragAt,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Press,
    Scroll,
    Type,
    Upload,
)
from webbench.core.dialects.forms import needed
from webbench.core.dialects.saying import Verb

_ELEMENT = needed("id", "element")
_TEXT = needed("text", "text")
_KEYS = needed("keys", "keys")
_X, _Y = needed("x", "number"), needed("y", "number")
_DX, _DY = needed("dx", "number"), needed("dy", "number")
_TO_X, _TO_Y = needed("to_x", "number"), needed("to_y", "number")

CLICK = Verb(Click, "click an element", target=_ELEMENT, at=None)
DOUBLE_CLICK = Verb(Click, "click twice", target=_ELEMENT, count=2, at=None)
HOVER = Verb(Hover, "move the mouse over an element", target=_ELEMENT, at=None)
PRESS_ON = Verb(Press, "press keys on an element", target=_ELEMENT, keys=_KEYS)
CHECK = Verb(Check, "tick a box or choose a radio button", target=_ELEMENT)
UNCHECK = Verb(Check, "take the tick away", target=_ELEMENT, checked=False)
DRAG = Verb(
    Drag,
    "drag one element onto another",
    source=needed("from", "element"),
    source_at=None,
    target=needed("to", "element"),
    target_at=None,
)
UPLOAD = Verb(
    Upload,
    "give files to a file field, or to what opens or takes them",
    target=_ELEMENT,
    files=needed("file", "files"),
)

CLICK_AT = Verb(ClickAt, "click at a point", x=_X, y=_Y)
DOUBLE_CLICK_AT = Verb(ClickAt, "click twice at a point", x=_X, y=_Y, count=2)
HOVER_AT = Verb(HoverAt, "point somewhere", x=_X, y=_Y)
DRAG_AT = Verb(DragAt, "drag from one point to another", x=_X, y=_Y, to_x=_TO_X, to_y=_TO_Y)
SCROLL = Verb(Scroll, "scroll the page by pixels", dx=_DX, dy=_DY)
PRESS = Verb(Press, "press keys", keys=_KEYS)
TYPE_HERE = Verb(Type, "type where the focus is", text=_TEXT, clear=False)

GOTO = Verb(Goto, "open an address", url=needed("url", "url"))
GO_BACK = Verb(Back, "go back in history")
GO_FORWARD = Verb(Forward, "go forward in history")
NEW_TAB = Verb(NewTab, "open a tab")
FOCUS_TAB = Verb(FocusTab, "go to a tab", index=needed("index", "tab"))
