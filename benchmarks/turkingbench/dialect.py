"""TurkingBench's action language: `modify_text("name", "value")`, `modify_radio("name", "value")`.

The functions of the paper's action library (its Table 3) and of the published evaluation code, with or
without `self.actions.` in front. A field is named by its HTML name, as there; a number in its place is
an id of the observation, so that elements without a name can be reached. The text of a page lists the fields
by name, which is a hint; `turkingbench-unhinted` is the same language without that list. Text is written into
an empty field: `modify_text` replaces what is there, where the published code types on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from webbench.core.action.action import (
    Action,
    CaptureScreen,
    Check,
    Click,
    ElementRef,
    GetHtml,
    Hover,
    Maximize,
    Noop,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.dialects.forms import Form, Forms, Value, needed, optional
from webbench.core.dialects.notations.calls import Calls
from webbench.core.dialects.saying import name_of, says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.dialects.verbs import CLICK_AT, GO_BACK, PRESS, TYPE_HERE
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_text

_PREFIXES = ("self.actions.", "actions.", "self.", "my_actions.")
_NAME = needed("name", "field")
_OPTION = optional("value", "option", None)
_PIXELS = optional("pixels", "number", None)
_ENTER = optional("enter", "flag", False)
_STEPS = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
_FIELD_CHARACTERS = 200


def _checkbox(target: ElementRef, value: str | None, checked: bool) -> Action:
    return Check(target=_option(target, value), checked=checked)


def _say_checkbox(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, Check):
        return None
    name, option = name_of(action.target), action.target.option
    if not action.checked:
        return [name, option, False]
    return [name, option] if option else [name]


def _radio(target: ElementRef, value: str | None) -> Action:
    reference = _option(target, value)
    if reference.id is not None:
        return Check(target=reference)
    return Check(target=ElementRef(field=reference.field, option=reference.option, role="radio"))


def _say_radio(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, Check) or action.target.role != "radio" or not action.checked:
        return None
    return [name_of(action.target), action.target.option]


def _option(target: ElementRef, value: str | None) -> ElementRef:
    if not value:
        return target
    return ElementRef(id=target.id, field=target.field, option=value)


def _say_click(action: Action) -> Sequence[Value] | None:
    return [action.target.id] if isinstance(action, Click) and action.target.id is not None else None


def _say_click_element(action: Action) -> Sequence[Value] | None:
    return [action.target.field] if isinstance(action, Click) and action.target.field else None


def _scroll_down(pixels: float | None) -> Action:
    return Scroll(dy=1.0, unit="viewports") if pixels is None else Scroll(dy=pixels)


def _scroll_up(pixels: float | None) -> Action:
    return Scroll(dy=-1.0, unit="viewports") if pixels is None else Scroll(dy=-pixels)


def _scroll(direction: str) -> Action:
    dx, dy = _STEPS[direction]
    return Scroll(dx=dx, dy=dy, unit="viewports")


def _say_step(*directions: str) -> Callable[[Action], Sequence[Value] | None]:
    """No argument where the verb itself means the only direction, else the direction."""

    def say(action: Action) -> Sequence[Value] | None:
        found = next((word for word in directions if action == _scroll(word)), None)
        if found is None:
            return None
        return [found] if len(directions) > 1 else []

    return say


_FIELDS = (
    says(
        "modify_text",
        Type,
        "write into a text field or text area",
        'modify_text("summary", "A short summary.")',
        target=_NAME,
        text=needed("value", "text"),
        clear=optional("clear", "flag", True),
        enter=_ENTER,
    ),
    Form(
        "modify_checkbox",
        (_NAME, _OPTION, optional("checked", "flag", True)),
        _checkbox,
        "tick the box of this name and value",
        'modify_checkbox("topics", "sports")',
        say=_say_checkbox,
    ),
    Form(
        "modify_radio",
        (_NAME, _OPTION),
        _radio,
        "choose the radio button of this name and value",
        'modify_radio("agree", "3")',
        say=_say_radio,
    ),
    says(
        "modify_select",
        Select,
        "choose an option of a list",
        'modify_select("country", "Norway")',
        target=_NAME,
        options=needed("value", "choices"),
    ),
    says(
        "modify_range",
        SetRange,
        "move a slider",
        'modify_range("score", 7)',
        target=_NAME,
        value=needed("value", "number"),
    ),
    says(
        "scroll_to_element",
        ScrollTo,
        "bring a field into view",
        'scroll_to_element("summary")',
        aliases=("scroll_to", "wait_for_element"),
        target=_NAME,
    ),
    Form(
        "click_element",
        (_NAME,),
        lambda ref: Click(target=ref),
        "click a field",
        'click_element("go")',
        say=_say_click_element,
    ),
    says("hover", Hover, "move the mouse over a field", 'hover("go")', target=_NAME),
)

_POINTS = (
    Form(
        "click",
        (_NAME,),
        lambda ref: Click(target=ref),
        "click an element by id or name",
        "click(12)",
        say=_say_click,
    ),
    CLICK_AT.form("click", "click(320, 45)"),
    TYPE_HERE.form("type", 'type("hello")', enter=_ENTER),
    PRESS.form("press", 'press("Enter")'),
    Form(
        "scroll_down",
        (_PIXELS,),
        _scroll_down,
        "scroll down, by one viewport unless pixels are given",
        "scroll_down()",
        say=_say_step("down"),
    ),
    Form(
        "scroll_up",
        (_PIXELS,),
        _scroll_up,
        "scroll up, by one viewport unless pixels are given",
        "scroll_up()",
        say=_say_step("up"),
    ),
    Form(
        "scroll",
        (needed("direction", "direction"),),
        _scroll,
        "scroll by one viewport: up, down, left or right",
        'scroll("down")',
        say=_say_step("left", "right"),
    ),
    says(
        "scroll",
        Scroll,
        "scroll by pixels",
        "scroll(0, 300)",
        dx=needed("dx", "number"),
        dy=needed("dy", "number"),
    ),
)

_PAGES = (
    says(
        "get_html",
        GetHtml,
        "read the HTML of the page, or the part of it that a field's question stands in",
        'get_html("summary")',
        target=optional("name", "field", None),
    ),
    says(
        "capture_screen",
        CaptureScreen,
        "take a picture of the page as it shows, or of what is around a field",
        'capture_screen("summary")',
        aliases=("take_screenshot", "take_page_screenshots", "take_full_screenshot"),
        target=optional("name", "field", None),
    ),
    says(
        "wait",
        Noop,
        "wait",
        "wait(2)",
        aliases=("wait_for",),
        seconds=optional("seconds", "number", 1, always=True),
    ),
    says(
        "maximize_window",
        Maximize,
        "make the window fill its display, where it has one",
        "maximize_window()",
        aliases=("maximize",),
    ),
    GO_BACK.form("go_back", "go_back()", aliases=("back",)),
    says("submit", Submit, "submit the form, which ends the task", "submit()"),
    says(
        "stop",
        Stop,
        "end the task without submitting",
        "stop()",
        answer=optional("answer", "text", ""),
    ),
)


def _render(observation: Observation) -> str:
    """The form's fields by name, their relevant HTML where it was asked for, then the page as text."""
    from webbench.core.renderings.webarena import webarena_text

    fields, around = _field_lines(observation.nodes), _html_lines(observation.relevant_html)
    return "\n".join([*fields, "", *around, webarena_text(observation)])


def _html_lines(relevant_html: Mapping[str, str]) -> list[str]:
    if not relevant_html:
        return []
    lines = ["Relevant HTML:"]
    for name, html in relevant_html.items():
        shown = plain_text(html, limit=len(html)) if html else "left out for its size; ask with get_html"
        lines.append(f"  {plain_text(name, limit=_FIELD_CHARACTERS)!r}: {shown}")
    return [*lines, ""]


def _field_lines(nodes: Sequence[AccessibilityNode]) -> list[str]:
    lines = ["Fields:"]
    for node in nodes:
        name = node.attributes.get("name") if node.interactive else None
        if name:
            kind = node.attributes.get("type") or node.tag
            holds = node.attributes.get("value", node.value)
            value = "" if holds is None else f" = {plain_text(holds, limit=_FIELD_CHARACTERS)!r}"
            ticked = " (chosen)" if node.states.get("checked") == "true" else ""
            label = plain_text(node.name, limit=_FIELD_CHARACTERS)
            shown = repr(plain_text(name, limit=_FIELD_CHARACTERS))
            lines.append(f"  {shown} {kind}{value}{ticked} [{node.id}] {label}")
    return lines if len(lines) > 1 else ["Fields: none"]


def _render_unhinted(observation: Observation) -> str:
    """The page as text alone: whoever wants the fields' names reads them in its HTML."""
    from webbench.core.renderings.webarena import webarena_text

    return webarena_text(observation)


def _made(name: str, render: Callable[[Observation], str]) -> TextDialect:
    forms = Forms((*_FIELDS, *_POINTS, *_PAGES))
    return TextDialect(name, forms, Calls('"', _PREFIXES), render)


def create() -> TextDialect:
    """The entry point."""
    return _made("turkingbench", _render)


def create_unhinted() -> TextDialect:
    """The same language without the list of the fields' names, which is the hint (section 3.5)."""
    return _made("turkingbench-unhinted", _render_unhinted)
