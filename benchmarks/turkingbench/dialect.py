"""TurkingBench's action language: `modify_text("name", "value")`, `modify_radio("name", "value")`.

The functions of the paper's action library (its Table 3) and of the published evaluation code, with or
without `self.actions.` in front. A field is named by its HTML name, as there; a number in its place is
an id of the observation, so that elements without a name can be reached. Text is written into an empty
field: `modify_text` replaces what is there, where the published code types on.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action import (
    Action,
    Back,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    ElementRef,
    GetHtml,
    Hover,
    Noop,
    Press,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.dialects.calls import Calls
from webbench.core.dialects.forms import Form, Forms, Value, needed, optional
from webbench.core.dialects.text_dialect import TextDialect, Words
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.plain_text import plain_text

_PREFIXES = ("self.actions.", "actions.", "self.", "my_actions.")
_NAME = needed("name", "field")
_X, _Y = needed("x", "number"), needed("y", "number")
_FIELD_CHARACTERS = 200


def _checkbox(target: ElementRef, value: str | None, checked: bool) -> Action:
    return Check(target=_option(target, value), checked=checked)


def _radio(target: ElementRef, value: str | None) -> Action:
    reference = _option(target, value)
    if reference.id is not None:
        return Check(target=reference)
    return Check(target=ElementRef(field=reference.field, option=reference.option, role="radio"))


def _option(target: ElementRef, value: str | None) -> ElementRef:
    if not value:
        return target
    return ElementRef(id=target.id, field=target.field, option=value)


def _text(target: ElementRef, value: str, clear: bool, enter: bool) -> Action:
    return Type(target=target, text=value, clear=clear, enter=enter)


_FIELDS = (
    Form(
        "modify_text",
        (_NAME, needed("value", "text"), optional("clear", "flag", True), optional("enter", "flag", False)),
        _text,
        "write into a text field or text area",
        'modify_text("summary", "A short summary.")',
    ),
    Form(
        "modify_checkbox",
        (_NAME, optional("value", "option", None), optional("checked", "flag", True)),
        _checkbox,
        "tick the box of this name and value",
        'modify_checkbox("topics", "sports")',
    ),
    Form(
        "modify_radio",
        (_NAME, optional("value", "option", None)),
        _radio,
        "choose the radio button of this name and value",
        'modify_radio("agree", "3")',
    ),
    Form(
        "modify_select",
        (_NAME, needed("value", "choices")),
        lambda ref, values: Select(target=ref, options=values),
        "choose an option of a list",
        'modify_select("country", "Norway")',
    ),
    Form(
        "modify_range",
        (_NAME, needed("value", "number")),
        lambda ref, value: SetRange(target=ref, value=value),
        "move a slider",
        'modify_range("score", 7)',
    ),
    Form(
        "scroll_to_element",
        (_NAME,),
        lambda ref: ScrollTo(target=ref),
        "bring a field into view",
        'scroll_to_element("summary")',
        ("scroll_to", "wait_for_element"),
    ),
    Form("click_element", (_NAME,), lambda ref: Click(target=ref), "click a field", 'click_element("go")'),
    Form("hover", (_NAME,), lambda ref: Hover(target=ref), "move the mouse over a field", 'hover("go")'),
)

_POINTS = (
    Form("click", (_NAME,), lambda ref: Click(target=ref), "click an element by id or name", "click(12)"),
    Form("click", (_X, _Y), lambda x, y: ClickAt(x=x, y=y), "click at a point", "click(320, 45)"),
    Form(
        "type",
        (needed("text", "text"), optional("enter", "flag", False)),
        lambda text, enter: Type(text=text, clear=False, enter=enter),
        "type where the focus is",
        'type("hello")',
    ),
    Form("press", (needed("keys", "keys"),), lambda keys: Press(keys=keys), "press keys", 'press("Enter")'),
    Form(
        "scroll_down",
        (optional("pixels", "number", None),),
        lambda pixels: _scroll(pixels, 1.0),
        "scroll down, by one viewport unless pixels are given",
        "scroll_down()",
    ),
    Form(
        "scroll_up",
        (optional("pixels", "number", None),),
        lambda pixels: _scroll(pixels, -1.0),
        "scroll up, by one viewport unless pixels are given",
        "scroll_up()",
    ),
    Form(
        "scroll",
        (needed("direction", "direction"),),
        lambda direction: Scroll(
            dx={"left": -1.0, "right": 1.0}.get(direction, 0.0),
            dy={"up": -1.0, "down": 1.0}.get(direction, 0.0),
            unit="viewports",
        ),
        "scroll by one viewport: up, down, left or right",
        'scroll("down")',
    ),
    Form(
        "scroll",
        (needed("dx", "number"), needed("dy", "number")),
        lambda dx, dy: Scroll(dx=dx, dy=dy),
        "scroll by pixels",
        "scroll(0, 300)",
    ),
)

_PAGES = (
    Form(
        "get_html",
        (optional("name", "field", None),),
        lambda ref: GetHtml(target=ref),
        "read the HTML of the page, or the part of it that a field's question stands in",
        'get_html("summary")',
    ),
    Form(
        "capture_screen",
        (),
        CaptureScreen,
        "take a picture",
        "capture_screen()",
        ("take_screenshot", "take_page_screenshots", "take_full_screenshot"),
    ),
    Form(
        "wait",
        (optional("seconds", "number", 1),),
        lambda seconds: Noop(seconds=seconds),
        "wait",
        "wait(2)",
        ("wait_for",),
    ),
    Form(
        "maximize_window",
        (),
        Noop,
        "does nothing: the viewport has a fixed size",
        "maximize_window()",
        ("maximize",),
    ),
    Form("go_back", (), Back, "go back in history", "go_back()", ("back",)),
    Form("submit", (), Submit, "submit the form, which ends the task", "submit()"),
    Form(
        "stop",
        (optional("answer", "text", ""),),
        lambda answer: Stop(answer=answer),
        "end the task without submitting",
        "stop()",
    ),
)


def _scroll(pixels: float | None, sign: float) -> Action:
    if pixels is None:
        return Scroll(dy=sign, unit="viewports")
    return Scroll(dy=sign * pixels)


def _name(reference: ElementRef | None) -> Value:
    """How a call names an element: by field, else by id."""
    if reference is None:
        return None
    return reference.field or reference.id


def _express(action: Action) -> Words | None:
    return _express_field(action) or _express_page(action)


def _express_field(action: Action) -> Words | None:
    match action:
        case Type(target=ElementRef() as target):
            extra: list[Value] = [] if action.clear and not action.enter else [action.clear, action.enter]
            return "modify_text", [_name(target), action.text, *extra]
        case Check(target=ElementRef(role="radio") as target, checked=True):
            return "modify_radio", [_name(target), target.option]
        case Check():
            state: list[Value] = [] if action.checked else [action.target.option, False]
            option: list[Value] = [action.target.option] if action.target.option and action.checked else []
            return "modify_checkbox", [_name(action.target), *option, *state]
        case Select():
            options: Value = action.options[0] if len(action.options) == 1 else list(action.options)
            return "modify_select", [_name(action.target), options]
        case SetRange():
            return "modify_range", [_name(action.target), action.value]
        case ScrollTo():
            return "scroll_to_element", [_name(action.target)]
        case Click():
            verb = "click" if action.target.id is not None else "click_element"
            return verb, [_name(action.target)]
        case Hover():
            return "hover", [_name(action.target)]
    return None


def _express_page(action: Action) -> Words | None:
    match action:
        case ClickAt():
            return "click", [action.x, action.y]
        case Type(target=None):
            return "type", [action.text, *([True] if action.enter else [])]
        case Press(target=None):
            return "press", [action.keys]
        case Scroll(unit="viewports"):
            return _express_scroll(action)
        case Scroll():
            return "scroll", [action.dx, action.dy]
        case GetHtml():
            return "get_html", [_name(action.target)] if action.target else []
        case Noop():
            return "wait", [action.seconds]
        case Stop():
            return "stop", [action.answer] if action.answer else []
        case Submit(target=None):
            return "submit", []
        case CaptureScreen():
            return "capture_screen", []
        case Back():
            return "go_back", []
    return None


def _express_scroll(action: Scroll) -> Words:
    if action.dx:
        return "scroll", ["right" if action.dx > 0 else "left"]
    return ("scroll_down" if action.dy > 0 else "scroll_up"), []


def _render(observation: Observation) -> str:
    """The form's fields by name, then the page as text."""
    from webbench.core.renderings.webarena import webarena_text

    return "\n".join([*_field_lines(observation.nodes), "", webarena_text(observation)])


def _field_lines(nodes: Sequence[AccessibilityNode]) -> list[str]:
    lines = ["Fields:"]
    for node in nodes:
        name = node.attributes.get("name") if node.interactive else None
        if name:
            kind = node.attributes.get("type") or node.tag
            value = "" if node.value is None else f" = {plain_text(node.value, limit=_FIELD_CHARACTERS)!r}"
            ticked = " (chosen)" if node.states.get("checked") is True else ""
            label = plain_text(node.name, limit=_FIELD_CHARACTERS)
            shown = repr(plain_text(name, limit=_FIELD_CHARACTERS))
            lines.append(f"  {shown} {kind}{value}{ticked} [{node.id}] {label}")
    return lines if len(lines) > 1 else ["Fields: none"]


def create() -> TextDialect:
    """The entry point."""
    forms = Forms((*_FIELDS, *_POINTS, *_PAGES))
    return TextDialect("turkingbench", forms, Calls('"', _PREFIXES), _express, _render)
