"""Names of actions in three browser agents: Browser-Use, Proxy (Convergence) and Notte."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webbench.core.action.action import (
    Action,
    Back,
    Click,
    ElementRef,
    Focus,
    FocusTab,
    Forward,
    GetHtml,
    Goto,
    NewTab,
    Noop,
    Press,
    Reload,
    Scroll,
    Search,
    Select,
    Stop,
    Type,
)
from webbench.core.json_types import Json, JsonObject, text_of
from webbench.core.observation import AccessibilityNode

Elements = Mapping[str, AccessibilityNode]
_IDS = ("index", "mark_id", "id")
_PAGE = "-1"
"""Proxy's element for the page as a whole."""


def actions_of(name: str, arguments: JsonObject, seen: Elements) -> list[Action]:
    """The actions of one call, on elements as they were seen; none where we know no such action."""
    entries = arguments.get("entries")
    if name == "type" and isinstance(entries, list):
        return _entries(entries, bool(arguments.get("submit")), seen)
    build = _BUILDERS.get(name)
    action = build(arguments, _target(arguments, seen)) if build else None
    return [] if action is None else [action]


def _entries(entries: list[Json], submit: bool, seen: Elements) -> list[Action]:
    """Several fields at once; Enter is pressed in the last."""
    filled = [entry for entry in entries if isinstance(entry, dict)]
    return [
        Type(
            target=_target(entry, seen),
            text=text_of(entry.get("content")),
            enter=submit and number == len(filled),
        )
        for number, entry in enumerate(filled, start=1)
    ]


def _target(arguments: JsonObject, seen: Elements) -> ElementRef | None:
    label = next((str(arguments[key]) for key in _IDS if arguments.get(key) not in (None, "")), "")
    node = seen.get(label)
    if node is not None:
        return ElementRef(id=node.id, role=node.role, name=node.name)
    if not label or label == _PAGE:
        return None
    decimal = label.isascii() and label.isdecimal() and len(label) < 10
    return ElementRef(id=int(label)) if decimal else ElementRef(name=label)


def _on(build: Callable[[JsonObject, ElementRef], Action]) -> Callable[..., Action | None]:
    """For an action that needs an element."""

    def built(arguments: JsonObject, target: ElementRef | None) -> Action | None:
        return build(arguments, target) if target is not None else None

    return built


def _scroll(direction: float) -> Callable[..., Action]:
    return lambda _, target: Scroll(dy=direction, unit="viewports", target=target)


def _proxy_scroll(arguments: JsonObject, target: ElementRef | None) -> Action:
    return _scroll(-1.0 if text_of(arguments.get("direction")) == "up" else 1.0)(arguments, target)


def _tab(arguments: JsonObject, _: ElementRef | None) -> Action | None:
    number = arguments.get("page_id", arguments.get("tab_index"))
    return FocusTab(index=number) if isinstance(number, int) and not isinstance(number, bool) else None


def _filled(arguments: JsonObject, target: ElementRef | None) -> Action:
    text = arguments.get("text", arguments.get("value"))
    return Type(target=target, text=text_of(text), clear=arguments.get("clear_before_fill") is not False)


def _chosen(arguments: JsonObject, target: ElementRef) -> Action:
    return Select(target=target, options=(text_of(arguments.get("text", arguments.get("value"))),))


def _stop(key: str) -> Callable[..., Action]:
    return lambda arguments, _: Stop(answer=text_of(arguments.get(key)))


def _goto(arguments: JsonObject, _: ElementRef | None) -> Action:
    return Goto(url=text_of(arguments.get("url")))


def _new_tab(arguments: JsonObject, _: ElementRef | None) -> Action:
    return NewTab(url=text_of(arguments.get("url")))


def _searched(arguments: JsonObject, _: ElementRef | None) -> Action:
    return Search(query=text_of(arguments.get("query")))


def _pressed(arguments: JsonObject, _: ElementRef | None) -> Action:
    return Press(keys=text_of(arguments.get("keys", arguments.get("key"))))


_CLICK = _on(lambda _, target: Click(target=target))
_BUILDERS: dict[str, Callable[..., Action | None]] = {
    "click": _CLICK,
    "click_element": _CLICK,
    "click_element_by_index": _CLICK,
    "input_text": _filled,
    "fill": _filled,
    "select_dropdown_option": _on(_chosen),
    "goto": _goto,
    "go_to_url": _goto,
    "open_tab": _new_tab,
    "goto_new_tab": _new_tab,
    "switch_tab": _tab,
    "focus": _on(lambda _, target: Focus(target=target)),
    "extract_content": lambda _arguments, _target: GetHtml(),
    "scrape": lambda _arguments, _target: GetHtml(),
    "back": lambda _arguments, _target: Back(),
    "go_back": lambda _arguments, _target: Back(),
    "go_forward": lambda _arguments, _target: Forward(),
    "reload": lambda _arguments, _target: Reload(),
    "wait": lambda _arguments, _target: Noop(),
    "scroll": _proxy_scroll,
    "scroll_down": _scroll(1.0),
    "scroll_up": _scroll(-1.0),
    "send_keys": _pressed,
    "press_key": _pressed,
    "search_google": _searched,
    "google_search": _searched,
    "done": _stop("text"),
    "return_value": _stop("value"),
    "completion": _stop("answer"),
}
