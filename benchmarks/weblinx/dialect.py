"""WebLINX' own action language: `click(uid="67e2a5fb-8b1d-41a0")`, `say(speaker="navigator", utterance="…")`.

Verbs and arguments are those of the paper's appendix on the output format. An element is named by the id of
its markup in quotes, by the short id of the observation (`uid=12`), by a point (`x=10, y=20`), or by its
corners (`top=…, left=…, right=…, bottom=…`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webbench.benchmarks.weblinx.notation.keyword_calls import KeywordCalls
from webbench.benchmarks.weblinx.notation.observation_text import render
from webbench.benchmarks.weblinx.notation.prediction import (
    COPY_KEYS,
    NAVIGATOR,
    PASTE_KEYS,
    selector_of,
    uid_in,
)
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
    Press,
    Say,
    Scroll,
    Select,
    Stop,
    Submit,
    Type,
    target_of,
)
from webbench.core.dialects.forms import Form, Forms, Parameter, Unfit, Value, needed, optional
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.observation import Box

_WANTED = 'an element is wanted: uid="…", or x and y, or top, left, right and bottom'


def _element(value: Value) -> ElementRef:
    """A number is an id of the observation, a text one of the markup."""
    if isinstance(value, int) and not isinstance(value, bool):
        return ElementRef(id=value)
    if isinstance(value, str) and value:
        return ElementRef(selector=selector_of(value))
    raise ValueError("an element is named by its id in the page's markup, or by that of the observation")


_UID = Parameter("uid", "element", None, required=False, read=_element)
_PLACE = tuple(optional(name, "number", None) for name in ("x", "y", "top", "left", "right", "bottom"))

Place = float | None


def _target(uid: ElementRef | None, *place: Place) -> ElementRef:
    """The element by its id or its corners, or whatever stands at the point.

    Raises `Unfit` where nothing of it is whole.
    """
    x, y, top, left, right, bottom = place
    if uid is not None:
        return uid
    if x is not None and y is not None:
        return ElementRef(box=Box(x, y, 0, 0))
    if top is None or left is None or right is None or bottom is None:
        raise Unfit(0, _WANTED)
    return ElementRef(box=Box(left, top, right - left, bottom - top))


def _click(uid: ElementRef | None, *place: Place) -> Action:
    found = _target(uid, *place)
    point = _point(found)
    return Click(target=found) if point is None else ClickAt(x=point[0], y=point[1])


def _hover(uid: ElementRef | None, *place: Place) -> Action:
    found = _target(uid, *place)
    point = _point(found)
    return Hover(target=found) if point is None else HoverAt(x=point[0], y=point[1])


def _point(target: ElementRef) -> tuple[float, float] | None:
    box = target.box
    return (box.x, box.y) if box is not None and box.width == box.height == 0 else None


def _text_input(uid: ElementRef | None, text: str, *place: Place) -> Action:
    return Type(target=_target(uid, *place), text=text)


def _change(uid: ElementRef | None, value: str, *place: Place) -> Action:
    return Select(target=_target(uid, *place), options=(value,))


def _submit(uid: ElementRef | None, *place: Place) -> Action:
    return Submit(target=_target(uid, *place))


def _on_element(
    kind: type[Action], text: str = "", at_point: type[ClickAt | HoverAt] | None = None
) -> Callable[[Action], Sequence[Value] | None]:
    """How the element is named, with the text of this field between its id and its place.

    Args:
        at_point: the action that is the same at a point.
    """

    def say(action: Action) -> Sequence[Value] | None:
        if at_point is not None and isinstance(action, at_point):
            return [None, action.x, action.y]
        target = target_of(action) if type(action) is kind else None
        if target is None:
            return None
        given = [_single(getattr(action, text))] if text else []
        if target.id is not None:
            return [target.id, *given]
        if uid := uid_in(target.selector):
            return [uid, *given]
        box = target.box
        if box is None:
            return None
        if point := _point(target):
            return [None, *given, *point]
        return [None, *given, None, None, box.y, box.x, box.x + box.width, box.y + box.height]

    return say


def _single(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _say_scroll(action: Action) -> Sequence[Value] | None:
    return [action.dx, action.dy] if isinstance(action, Scroll) and action.target is None else None


def _say_say(action: Action) -> Sequence[Value] | None:
    return [NAVIGATOR, action.text] if isinstance(action, Say) else None


def _pressed(keys: str) -> Callable[[str | None], Action]:
    """The text that is copied or pasted comes from the page: no metric takes it, and it may be left out."""
    return lambda _text: Press(keys=keys)


def _say_pressed(keys: str) -> Callable[[Action], Sequence[Value] | None]:
    return lambda action: [] if action == Press(keys=keys) else None


def _say_load(action: Action) -> Sequence[Value] | None:
    return [action.url] if isinstance(action, Goto) else None


def _say_tab(kind: type[FocusTab | CloseTab]) -> Callable[[Action], Sequence[Value] | None]:
    return lambda action: [action.index] if isinstance(action, kind) else None


_CLIP = optional("text", "text", None)
_ORIGIN = optional("origin", "tab", None)

_FORMS = Forms(
    (
        Form(
            "say",
            (optional("speaker", "text", NAVIGATOR, always=True), needed("utterance", "text")),
            lambda _speaker, utterance: Say(text=utterance),
            "say something to the instructor",
            'say(speaker="navigator", utterance="Which size?")',
            say=_say_say,
        ),
        Form(
            "click",
            (_UID, *_PLACE),
            _click,
            "click an element; also by x and y, or by top, left, right and bottom",
            "click(uid=12)",
            say=_on_element(Click, at_point=ClickAt),
        ),
        Form(
            "textinput",
            (_UID, needed("text", "text"), *_PLACE),
            _text_input,
            "type text into a field",
            'textinput(uid=12, text="lamp")',
            ("text_input",),
            _on_element(Type, "text"),
        ),
        Form(
            "load",
            (needed("url", "url"),),
            lambda url: Goto(url=url),
            "open an address",
            'load(url="https://www.example.org/")',
            say=_say_load,
        ),
        Form(
            "submit",
            (_UID, *_PLACE),
            _submit,
            "submit the form of an element",
            "submit(uid=12)",
            say=_on_element(Submit),
        ),
        Form(
            "change",
            (_UID, needed("value", "choice"), *_PLACE),
            _change,
            "choose an option of a list, or set a field's value",
            'change(uid=12, value="Large")',
            say=_on_element(Select, "options"),
        ),
        Form(
            "scroll",
            (needed("x", "number"), needed("y", "number")),
            lambda x, y: Scroll(dx=x, dy=y),
            "scroll the page to a place",
            "scroll(x=0, y=300)",
            say=_say_scroll,
        ),
        Form(
            "hover",
            (_UID, *_PLACE),
            _hover,
            "move the mouse over an element",
            "hover(uid=12)",
            say=_on_element(Hover, at_point=HoverAt),
        ),
        Form(
            "copy",
            (_CLIP,),
            _pressed(COPY_KEYS),
            "copy what is selected",
            "copy()",
            say=_say_pressed(COPY_KEYS),
        ),
        Form("paste", (_CLIP,), _pressed(PASTE_KEYS), "paste", "paste()", say=_say_pressed(PASTE_KEYS)),
        Form(
            "tabcreate",
            (_ORIGIN,),
            lambda _target: NewTab(),
            "open a tab",
            "tabcreate()",
            ("tab_create",),
            lambda action: [] if action == NewTab() else None,
        ),
        Form(
            "tabswitch",
            (needed("target", "tab"), _ORIGIN),
            lambda target, _origin: FocusTab(index=target),
            "go to a tab",
            "tabswitch(target=1)",
            ("tab_switch",),
            _say_tab(FocusTab),
        ),
        Form(
            "tabremove",
            (optional("target", "tab", None),),
            lambda target: CloseTab(index=target),
            "close a tab",
            "tabremove(target=1)",
            ("tab_remove",),
            _say_tab(CloseTab),
        ),
        Form(
            "stop",
            (),
            Stop,
            "end the episode here; our own, WebLINX has no such action",
            "stop()",
            say=lambda action: [] if action == Stop() else None,
        ),
    ),
    instead={"type": "textinput", "select": "change", "goto": "load", "input": "textinput", "send": "say"},
)


def create() -> TextDialect:
    """The entry point."""
    return TextDialect("weblinx", _FORMS, KeywordCalls(), render)
