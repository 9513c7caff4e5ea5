"""From actions of ours to what WebLINX's recorder would have written: intents, arguments, elements."""

from __future__ import annotations

from typing import Any

import msgspec

from webbench.benchmarks.weblinx.notation.prediction import COPY_KEYS, PASTE_KEYS
from webbench.benchmarks.weblinx.pages.elements import element_at
from webbench.benchmarks.weblinx.pages.stamping import StampedPage, at_path, identity_of
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.action.action import (
    Action,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Press,
    Reload,
    Scroll,
    Select,
    SetRange,
    Submit,
    Type,
    target_of,
)
from webbench.core.json_types import JsonObject

FIRST_TAB = 1
"""Number of the first tab; the others count on."""
_LONGEST_MARKUP = 2000

Element = Any
"""An element of lxml."""


class BrowserEvent(msgspec.Struct, frozen=True):
    """One browser turn: its intent, what its arguments hold beside metadata, and where the mouse was."""

    intent: str
    arguments: JsonObject = {}
    mouse: tuple[float, float] = (0.0, 0.0)


class Page(msgspec.Struct, frozen=True):
    """Where the action was done, and where it led to."""

    stamped: StampedPage
    episode: str
    url_after: str
    scroll_after: tuple[float, float]


def events_of(action: Action, page: Page) -> list[BrowserEvent]:
    """The browser turns that an action of ours stands for; none for what WebLINX has no turn for."""
    element, mouse = _element(action, page)
    match action:
        case Click() | ClickAt() | Check():
            return _on(element, "click", mouse, {"properties": {"clientX": mouse[0], "clientY": mouse[1]}})
        case Hover() | HoverAt():
            return _on(element, "hover", mouse)
        case Type(text=text, enter=enter):
            typed = _on(element, "textInput", mouse, {"text": text})
            return typed + (_submitted(element, page, mouse) if enter else [])
        case Select(options=options):
            return _on(element, "change", mouse, {"value": ", ".join(options)})
        case SetRange(value=value):
            return _on(element, "change", mouse, {"value": f"{value:g}"})
        case Submit():
            return _submitted(element, page, mouse)
        case _:
            return _without_element(action, element, page, mouse)


def _without_element(
    action: Action, element: Element, page: Page, mouse: tuple[float, float]
) -> list[BrowserEvent]:
    match action:
        case Press(keys=keys) if keys == COPY_KEYS:
            return [BrowserEvent("copy", {"selected": None, **_about(element)}, mouse)]
        case Press(keys=keys) if keys == PASTE_KEYS:
            return [BrowserEvent("paste", {"pasted": None, **_about(element)}, mouse)]
        case Press(keys="Enter"):
            return _submitted(element, page, mouse)
        case Scroll():
            x, y = page.scroll_after
            return [BrowserEvent("scroll", {"scrollX": round(x), "scrollY": round(y)})]
        case Goto(url=url):
            return [_loaded(url, "typed")]
        case Back() | Forward():
            return [_loaded(page.url_after, "forward_back")]
        case Reload():
            return [_loaded(page.url_after, "reload")]
        case NewTab() | FocusTab() | CloseTab():
            return _of_tabs(action)
        case _:
            return []


def _of_tabs(action: NewTab | FocusTab | CloseTab) -> list[BrowserEvent]:
    match action:
        case NewTab(url=url):
            created = [BrowserEvent("tabcreate", {"properties": {"tabId": -1}})]
            return created + ([_loaded(url, "typed")] if url else [])
        case FocusTab(index=index):
            return [
                BrowserEvent("tabswitch", {"properties": {"tabIdOrigin": -1, "tabId": FIRST_TAB + index}})
            ]
        case CloseTab(index=index):
            return [BrowserEvent("tabremove", {"properties": {"tabId": FIRST_TAB + (index or 0)}})]


def _loaded(url: str, kind: str) -> BrowserEvent:
    qualifiers = ["from_address_bar"] if kind == "typed" else []
    properties = {"url": url, "transitionType": kind, "transitionQualifiers": qualifiers}
    return BrowserEvent("load", {"properties": properties})


def _on(
    element: JsonObject, intent: str, mouse: tuple[float, float], arguments: JsonObject | None = None
) -> list[BrowserEvent]:
    """A turn about an element; none where the page doesn't have it."""
    return [BrowserEvent(intent, {**(arguments or {}), "element": element}, mouse)] if element else []


def _submitted(element: JsonObject, page: Page, mouse: tuple[float, float]) -> list[BrowserEvent]:
    """The form around the element, or the element itself where there is none."""
    root = page.stamped.root
    identity = element.get("attributes", {}).get(ID) if element else None
    if root is None or identity is None:
        return []
    found = next((one for one in root.iter() if one.get(ID) == identity), None)
    form = None if found is None else next((one for one in found.iterancestors("form") if one.get(ID)), found)
    return [] if form is None else _on(describe(form, page.stamped), "submit", mouse)


def _about(element: JsonObject) -> JsonObject:
    return {"element": element} if element else {}


def _element(action: Action, page: Page) -> tuple[JsonObject, tuple[float, float]]:
    """The recorded element of an action, {} without one, and where the mouse is then."""
    boxes = page.stamped.boxes
    if isinstance(action, ClickAt | HoverAt):
        identity = element_at(boxes, action.x, action.y)
        return _by_identity(identity, page.stamped), (action.x, action.y)
    target = target_of(action)
    if target is None:
        return {}, (0.0, 0.0)
    element = _by_identity(_identity(target, page), page.stamped)
    box = boxes.get(element["attributes"][ID]) if element else None
    if box is None:
        return element, target.box.centre if target.box else (0.0, 0.0)
    return element, (round(box["x"] + box["width"] / 2, 1), round(box["y"] + box["height"] / 2, 1))


def _identity(target: ElementRef, page: Page) -> str | None:
    """By the element's place in the page, else by its id in the observation."""
    root = page.stamped.root
    found = at_path(root, target.path) if root is not None and target.path else None
    if found is not None and found.get(ID):
        return str(found.get(ID))
    if target.id is None or target.id not in page.stamped.elements:
        return None
    return identity_of(page.episode, target.id)


def _by_identity(identity: str | None, stamped: StampedPage) -> JsonObject:
    if identity is None or stamped.root is None:
        return {}
    found = next((one for one in stamped.root.iter() if one.get(ID) == identity), None)
    return {} if found is None else describe(found, stamped)


def describe(element: Element, stamped: StampedPage) -> JsonObject:
    """An element as a turn keeps it; long markup is cut."""
    import lxml.html

    markup = lxml.html.tostring(element, encoding="unicode", with_tail=False)
    inner = (element.text or "") + "".join(lxml.html.tostring(one, encoding="unicode") for one in element)
    return {
        "attributes": dict(element.attrib),
        "bbox": stamped.boxes.get(element.get(ID), {}),
        "innerHTML": inner[:_LONGEST_MARKUP],
        "outerHTML": markup[:_LONGEST_MARKUP],
        "tagName": element.tag.upper(),
        "textContent": element.text_content()[:_LONGEST_MARKUP],
        "xpath": element.getroottree().getpath(element),
    }
