"""WebArena's action language: `click [12]`, `type [5] [text] [1]`, `stop [answer]`.

The verbs of WebArena's id-based actions, and in the same style those that it lacks. Three readings
follow the published code: `type` without its last argument presses Enter, `scroll` moves by one
viewport, and a text may hold brackets. One does not: `type` replaces what is in the field, where the
published environment clicks into the field and types on; `append` does that.
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
    ElementRef,
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
    Say,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
    Upload,
)
from webbench.core.dialects.bracketed import Bracketed
from webbench.core.dialects.forms import Form, Forms, Value, needed, optional
from webbench.core.dialects.text_dialect import TextDialect, Words
from webbench.core.observation import Observation

_ID = needed("id", "element")
_X, _Y = needed("x", "number"), needed("y", "number")
_STEPS = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
_DIRECTIONS = {step: direction for direction, step in _STEPS.items()}


def _type(target: ElementRef, text: str, enter: bool) -> Action:
    return Type(target=target, text=text, enter=enter)


def _append(target: ElementRef, text: str, enter: bool) -> Action:
    return Type(target=target, text=text, clear=False, enter=enter)


def _scroll(direction: str) -> Action:
    dx, dy = _STEPS[direction]
    return Scroll(dx=dx, dy=dy, unit="viewports")


_ELEMENTS = (
    Form("click", (_ID,), lambda ref: Click(target=ref), "click an element", "click [12]"),
    Form(
        "type",
        (_ID, needed("text", "text"), optional("press_enter_after", "flag", True)),
        _type,
        "replace the content of a field; 0 at the end leaves Enter out",
        "type [5] [running shoes] [1]",
    ),
    Form(
        "append",
        (_ID, needed("text", "text"), optional("press_enter_after", "flag", False)),
        _append,
        "type behind what is in a field",
        "append [5] [, size 44]",
    ),
    Form("hover", (_ID,), lambda ref: Hover(target=ref), "move the mouse over an element", "hover [12]"),
    Form("press", (needed("keys", "keys"),), lambda keys: Press(keys=keys), "press keys", "press [Ctrl+a]"),
    Form(
        "press_on",
        (_ID, needed("keys", "keys")),
        lambda ref, keys: Press(keys=keys, target=ref),
        "press keys on an element",
        "press_on [5] [Enter]",
    ),
    Form(
        "select",
        (_ID, optional("option", "choices", None)),
        lambda ref, options: Select(target=ref, options=options or ()),
        "choose options of a list by label or value; none clears it",
        "select [7] [Red]",
        ("select_option",),
    ),
    Form("check", (_ID,), lambda ref: Check(target=ref), "tick a box or choose a radio button", "check [8]"),
    Form(
        "uncheck", (_ID,), lambda ref: Check(target=ref, checked=False), "take the tick away", "uncheck [8]"
    ),
    Form(
        "set",
        (_ID, needed("value", "number")),
        lambda ref, value: SetRange(target=ref, value=value),
        "move a slider",
        "set [9] [3]",
    ),
    Form("double_click", (_ID,), lambda ref: Click(target=ref, count=2), "click twice", "double_click [12]"),
    Form(
        "right_click",
        (_ID,),
        lambda ref: Click(target=ref, button="right"),
        "click with the right button",
        "right_click [12]",
    ),
    Form(
        "drag",
        (needed("from", "element"), needed("to", "element")),
        lambda source, target: Drag(source=source, target=target),
        "drag one element onto another",
        "drag [3] [4]",
    ),
    Form(
        "upload",
        (_ID, needed("file", "files")),
        lambda ref, files: Upload(target=ref, files=files),
        "give files to a file field",
        "upload [6] [receipt.pdf]",
    ),
    Form("scroll_to", (_ID,), lambda ref: ScrollTo(target=ref), "bring it into view", "scroll_to [12]"),
    Form(
        "submit",
        (optional("id", "element", None),),
        lambda ref: Submit(target=ref),
        "submit the task's form, or the form of an element",
        "submit",
    ),
    Form(
        "get_html",
        (optional("id", "element", None),),
        lambda ref: GetHtml(target=ref),
        "read the HTML of the page or of an element",
        "get_html [12]",
    ),
)

_POINTS = (
    Form("click_at", (_X, _Y), lambda x, y: ClickAt(x=x, y=y), "click at a point", "click_at [320] [45.5]"),
    Form(
        "double_click_at",
        (_X, _Y),
        lambda x, y: ClickAt(x=x, y=y, count=2),
        "click twice at a point",
        "double_click_at [320] [45]",
    ),
    Form(
        "right_click_at",
        (_X, _Y),
        lambda x, y: ClickAt(x=x, y=y, button="right"),
        "click at a point with the right button",
        "right_click_at [320] [45]",
    ),
    Form("hover_at", (_X, _Y), lambda x, y: HoverAt(x=x, y=y), "point somewhere", "hover_at [9] [9]"),
    Form(
        "drag_at",
        (_X, _Y, needed("to_x", "number"), needed("to_y", "number")),
        lambda x, y, to_x, to_y: DragAt(x=x, y=y, to_x=to_x, to_y=to_y),
        "drag from one point to another",
        "drag_at [10] [10] [200] [10]",
    ),
    Form(
        "scroll",
        (needed("direction", "direction"),),
        _scroll,
        "scroll the page by one viewport: up, down, left or right",
        "scroll [down]",
    ),
    Form(
        "scroll_by",
        (needed("dx", "number"), needed("dy", "number")),
        lambda dx, dy: Scroll(dx=dx, dy=dy),
        "scroll the page by pixels",
        "scroll_by [0] [300]",
    ),
    Form(
        "scroll_in",
        (_ID, needed("dx", "number"), needed("dy", "number")),
        lambda ref, dx, dy: Scroll(dx=dx, dy=dy, target=ref),
        "scroll inside an element by pixels",
        "scroll_in [20] [0] [300]",
    ),
    Form(
        "type_here",
        (needed("text", "text"), optional("press_enter_after", "flag", False)),
        lambda text, enter: Type(text=text, clear=False, enter=enter),
        "type where the focus is",
        "type_here [hello]",
    ),
)

_PAGES = (
    Form(
        "goto", (needed("url", "url"),), lambda url: Goto(url=url), "open an address", "goto [http://e.org]"
    ),
    Form("go_back", (), Back, "go back in history", "go_back"),
    Form("go_forward", (), Forward, "go forward in history", "go_forward"),
    Form("reload", (), Reload, "load the page again", "reload"),
    Form(
        "new_tab",
        (optional("url", "url", ""),),
        lambda url: NewTab(url=url),
        "open a tab",
        "new_tab",
    ),
    Form(
        "tab_focus",
        (needed("tab_index", "tab"),),
        lambda index: FocusTab(index=index),
        "go to a tab",
        "tab_focus [0]",
    ),
    Form(
        "close_tab",
        (optional("tab_index", "tab", None),),
        lambda index: CloseTab(index=index),
        "close this tab, or another one",
        "close_tab",
        ("page_close",),
    ),
    Form(
        "dialog",
        (needed("answer", "answer"), optional("text", "text", "")),
        lambda answer, text: AnswerDialog(accept=answer == "accept", text=text),
        "answer the open dialog; the text is for a prompt",
        "dialog [accept] [my answer]",
    ),
    Form("screenshot", (), CaptureScreen, "take a picture", "screenshot"),
    Form(
        "say",
        (needed("text", "text"),),
        lambda text: Say(text=text),
        "say something to the other party",
        "say [Which size?]",
        ("note",),
    ),
    Form(
        "stop",
        (optional("answer", "text", ""),),
        lambda answer: Stop(answer=answer),
        "end the task, with an answer if it asks for one",
        "stop [42]",
    ),
    Form("wait", (needed("seconds", "number"),), lambda seconds: Noop(seconds=seconds), "wait", "wait [2]"),
    Form("noop", (), Noop, "do nothing", "noop", ("none",)),
)


def _id(reference: ElementRef | None) -> Value:
    return reference.id if reference else None


def _click_verb(action: Click | ClickAt) -> str:
    if action.button == "right":
        return "right_click"
    return "double_click" if action.count == 2 else "click"


def _express(action: Action) -> Words | None:
    return _express_element(action) or _express_point(action) or _express_page(action)


def _express_element(action: Action) -> Words | None:
    match action:
        case Click():
            return _click_verb(action), [_id(action.target)]
        case Type(target=ElementRef() as target):
            return ("type" if action.clear else "append"), [target.id, action.text, action.enter]
        case Select():
            return "select", [_id(action.target), list[Value](action.options)]
        case Check():
            return ("check" if action.checked else "uncheck"), [_id(action.target)]
        case SetRange():
            return "set", [_id(action.target), action.value]
        case Hover():
            return "hover", [_id(action.target)]
        case Press(target=ElementRef() as target):
            return "press_on", [target.id, action.keys]
        case ScrollTo():
            return "scroll_to", [_id(action.target)]
        case Scroll(target=ElementRef() as target):
            return "scroll_in", [target.id, action.dx, action.dy]
        case Drag():
            return "drag", [_id(action.source), _id(action.target)]
        case Upload():
            return "upload", [_id(action.target), list[Value](action.files)]
        case Submit(target=ElementRef() as target):
            return "submit", [target.id]
        case GetHtml(target=ElementRef() as target):
            return "get_html", [target.id]
    return None


def _express_point(action: Action) -> Words | None:
    match action:
        case ClickAt():
            return f"{_click_verb(action)}_at", [action.x, action.y]
        case HoverAt():
            return "hover_at", [action.x, action.y]
        case DragAt():
            return "drag_at", [action.x, action.y, action.to_x, action.to_y]
        case Scroll(unit="viewports") if (action.dx, action.dy) in _DIRECTIONS:
            return "scroll", [_DIRECTIONS[action.dx, action.dy]]
        case Scroll():
            return "scroll_by", [action.dx, action.dy]
        case Type():
            return "type_here", [action.text, action.enter]
        case Press():
            return "press", [action.keys]
    return None


def _express_page(action: Action) -> Words | None:
    match action:
        case Goto():
            return "goto", [action.url]
        case NewTab():
            return "new_tab", _unless_empty(action.url)
        case FocusTab():
            return "tab_focus", [action.index]
        case CloseTab():
            return "close_tab", [] if action.index is None else [action.index]
        case AnswerDialog():
            return "dialog", ["accept" if action.accept else "dismiss", *_unless_empty(action.text)]
        case Say():
            return "say", [action.text]
        case Stop():
            return "stop", _unless_empty(action.answer)
        case Noop() if action.seconds:
            return "wait", [action.seconds]
    verb = _BARE.get(type(action))
    return (verb, []) if verb else None


_BARE: dict[type, str] = {
    Back: "go_back",
    Forward: "go_forward",
    Reload: "reload",
    CaptureScreen: "screenshot",
    Submit: "submit",
    GetHtml: "get_html",
    Noop: "noop",
}


def _unless_empty(text: str) -> Sequence[Value]:
    return [text] if text else []


def _render(observation: Observation) -> str:
    from webbench.core.renderings.webarena import webarena_text

    return webarena_text(observation)


def create() -> TextDialect:
    """The entry point."""
    forms = Forms((*_ELEMENTS, *_POINTS, *_PAGES))
    return TextDialect("webarena", forms, Bracketed(), _express, _render)
