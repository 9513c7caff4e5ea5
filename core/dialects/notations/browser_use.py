"""The element that a browser-use action was on, and its actions in our words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from webbench.core.action.action import (
    Action,
    CaptureScreen,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    NewTab,
    Noop,
    Press,
    Scroll,
    Search,
    Select,
    Stop,
    Type,
    Upload,
)
from webbench.core.action.references import map_references
from webbench.core.dialects.notations.action_names import actions_of
from webbench.core.json_types import Json, JsonObject, text_of
from webbench.core.observation import Box

_ROLES = {"a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "option": "option"}
_INPUTS = {
    **dict.fromkeys(("submit", "button", "reset", "image"), "button"),
    "checkbox": "checkbox",
    "radio": "radio",
    "range": "slider",
    "number": "spinbutton",
    "search": "searchbox",
}
_NAMES = ("aria-label", "placeholder", "title", "alt", "value")
_MOST_PAGES = 1000.0


def element_of(index: Json, known: Json) -> ElementRef | None:
    """The element of an index, with what the history tells of it; None where no index is given."""
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < 10**9:
        return None
    if not isinstance(known, dict):
        return ElementRef(id=index)
    attributes: JsonObject = known["attributes"] if isinstance(known.get("attributes"), dict) else {}
    tag = text_of(known.get("tag_name") or known.get("node_name")).lower()
    kind = text_of(attributes.get("type")).lower()
    role = text_of(attributes.get("role")) or (
        _INPUTS.get(kind, "textbox") if tag == "input" else _ROLES.get(tag, tag)
    )
    named = next((text_of(attributes[name]) for name in _NAMES if attributes.get(name)), "")
    secret = tag == "input" and kind == "password"
    return ElementRef(
        id=index,
        role=role,
        name=text_of(known.get("ax_name")) or ("" if secret else named),
        field=text_of(attributes.get("name")),
        selector=text_of(known.get("css_selector")),
        path=text_of(known.get("xpath") or known.get("x_path")),
        box=_box(known.get("bounds")),
        secret=secret,
    )


def _box(bounds: Json) -> Box | None:
    sides = [bounds.get(name) for name in ("x", "y", "width", "height")] if isinstance(bounds, dict) else []
    numbers = [float(one) for one in sides if isinstance(one, int | float) and not isinstance(one, bool)]
    return Box(*numbers) if len(numbers) == 4 else None


def action_in(
    name: str, arguments: JsonObject, element: ElementRef | None, tabs: Mapping[str, int]
) -> Action | None:
    """The action of a call, None for one that does nothing to the page, or that we don't know.

    Args:
        element: what its index stands for.
        tabs: places of tabs from 0, by their ids.
    """
    build = _BUILDERS.get(name)
    if build is not None:
        found = build(arguments, element, tabs)
        if found is not None:
            return found
    found = next(iter(actions_of(name, arguments, {})), None)
    if found is None or element is None:
        return found
    return map_references(found, lambda reference: element if reference.id == element.id else reference)


def _number(value: Json, otherwise: float, most: float) -> float:
    given = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0.0, min(float(value), most)) if given else otherwise


def _navigate(arguments: JsonObject, _element: ElementRef | None, _tabs: Mapping[str, int]) -> Action:
    url = text_of(arguments.get("url"))
    return NewTab(url=url) if arguments.get("new_tab") is True else Goto(url=url)


def _input(arguments: JsonObject, element: ElementRef | None, _tabs: Mapping[str, int]) -> Action:
    clear = arguments.get("clear", arguments.get("clear_existing"))
    return Type(target=element, text=text_of(arguments.get("text")), clear=clear is not False)


def _scroll(arguments: JsonObject, element: ElementRef | None, _tabs: Mapping[str, int]) -> Action:
    pages = _number(arguments.get("pages", arguments.get("num_pages")), 1.0, _MOST_PAGES)
    return Scroll(dy=-pages if arguments.get("down") is False else pages, unit="viewports", target=element)


def _tab_of(arguments: JsonObject, tabs: Mapping[str, int]) -> int | None:
    named = arguments.get("tab_id", arguments.get("page_id"))
    return tabs.get(text_of(named))


def _switch(arguments: JsonObject, _element: ElementRef | None, tabs: Mapping[str, int]) -> Action | None:
    index = _tab_of(arguments, tabs)
    return FocusTab(index=index) if index is not None else None


def _close(arguments: JsonObject, _element: ElementRef | None, tabs: Mapping[str, int]) -> Action:
    return CloseTab(index=_tab_of(arguments, tabs))


def _click(arguments: JsonObject, _element: ElementRef | None, _tabs: Mapping[str, int]) -> Action | None:
    at = [arguments.get("coordinate_x"), arguments.get("coordinate_y")]
    numbers = [float(one) for one in at if isinstance(one, int | float) and not isinstance(one, bool)]
    return ClickAt(x=numbers[0], y=numbers[1]) if len(numbers) == 2 else None


def _select(arguments: JsonObject, element: ElementRef | None, _tabs: Mapping[str, int]) -> Action | None:
    return Select(target=element, options=(text_of(arguments.get("text")),)) if element is not None else None


def _upload(arguments: JsonObject, element: ElementRef | None, _tabs: Mapping[str, int]) -> Action | None:
    return Upload(target=element, files=(text_of(arguments.get("path")),)) if element is not None else None


def _done(arguments: JsonObject, _element: ElementRef | None, _tabs: Mapping[str, int]) -> Action:
    """Its text; of a structured answer all but the agent's own claim."""
    if "text" in arguments:
        return Stop(answer=text_of(arguments["text"]))
    answer = arguments.get("data", {name: one for name, one in arguments.items() if name != "success"})
    return Stop(answer=msgspec.json.encode(answer).decode() if answer else "")


_Build = Callable[[JsonObject, ElementRef | None, Mapping[str, int]], Action | None]
_BUILDERS: dict[str, _Build] = {
    "navigate": _navigate,
    "go_to_url": _navigate,
    "input": _input,
    "input_text": _input,
    "scroll": _scroll,
    "switch": _switch,
    "switch_tab": _switch,
    "close": _close,
    "close_tab": _close,
    "click": _click,
    "click_element_by_index": _click,
    "select_dropdown": _select,
    "select_dropdown_option": _select,
    "upload_file": _upload,
    "done": _done,
    "screenshot": lambda _arguments, _element, _tabs: CaptureScreen(),
    "search": lambda arguments, _element, _tabs: Search(query=text_of(arguments.get("query"))),
    "send_keys": lambda arguments, _element, _tabs: Press(keys=text_of(arguments.get("keys"))),
    "wait": lambda arguments, _element, _tabs: Noop(seconds=_number(arguments.get("seconds"), 3.0, 3600.0)),
}
