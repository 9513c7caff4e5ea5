"""What an action shows to the key nodes: the element it acted on, and that element's value.

As in the framework only clicks, entries and choices have an element. The value is what was typed or chosen,
of anything else the text that a clicked element is taken to have (`element_values.element_value`).

An agent that only sees the page clicks at a point and types where the focus is. Its element is the one that
the page's own event was sent to; where the click led to another page, so that the event can't be asked for
any more, the one that lay at the point before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.element_values import element_value
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import Event
from webbench.benchmarks.webcanvas.scoring.recorded_page import SELECTOR, Page
from webbench.core.action.action import (
    Action,
    Check,
    Click,
    ClickAt,
    ElementRef,
    Select,
    SetRange,
    Submit,
    Type,
    target_of,
)
from webbench.core.errors import BadData
from webbench.core.json_types import Json

WITH_ELEMENT = (Click, Type, Select, Check, SetRange, Submit)


AT_POINT = """
([x, y]) => {
  const placeOf = (element) => 1 + [...element.parentNode.children].indexOf(element);
  const chain = (element) => {
    const parts = [];
    for (let one = element; one && one !== document.documentElement; one = one.parentElement)
      parts.unshift(`${CSS.escape(one.localName)}:nth-child(${placeOf(one)})`);
    return [':root', ...parts].join(' > ');
  };
  const told = (element) => {
    if (!element) return null;
    const framed = ['iframe', 'frame'].includes(element.localName);
    const shadowed = !framed && element.getRootNode() !== document;
    return {selector: framed || shadowed ? '' : chain(element), inside: framed || shadowed};
  };
  const key = 'webbenchPointed';
  delete globalThis[key];
  if (x === null) return told(document.activeElement);
  globalThis.addEventListener('pointerdown', (event) => {
    if (event.isTrusted) globalThis[key] = told(event.composedPath()[0]);
  }, {capture: true, once: true});
  return told(document.elementFromPoint(x, y));
}"""
"""What lies at a point of the viewport, without one what has the focus; and what the next press goes to.
It runs in a world of its own, so that the page finds no trace of it."""

POINTED = "() => globalThis.webbenchPointed ?? null"

INSIDE = "about:inside"
"""In place of the address of the frame or shadow tree that an element is in: it is nobody's reference."""


def has_element(action: Action) -> bool:
    """Whether the action can be one on an element, as key nodes see it."""
    return isinstance(action, WITH_ELEMENT) and target_of(action) is not None


def point_of(action: Action) -> list[float | None] | None:
    """Where an action without an element of its own points, `[None, None]` for the focus; None for others."""
    if isinstance(action, ClickAt):
        return [action.x, action.y]
    return [None, None] if isinstance(action, Type) and action.target is None else None


def on_element(action: Action, told: Json) -> Action:
    """The action as one on the element that `AT_POINT` or `POINTED` told; as it is where neither did."""
    selector = told.get("selector") if isinstance(told, dict) else None
    if not isinstance(selector, str) or not isinstance(told, dict):
        return action
    target = ElementRef(selector=selector, frame_url=INSIDE if told.get("inside") else "")
    if isinstance(action, ClickAt):
        return Click(target=target, button=action.button, count=action.count)
    return msgspec.structs.replace(action, target=target) if isinstance(action, Type) else action


def element_references(nodes: Sequence[KeyNode]) -> tuple[str, ...]:
    """Selectors that elements are held against."""
    wanted = [node.reference_answer for node in nodes if node.target == "path" and node.method == SELECTOR]
    wanted += [node.path for node in nodes if node.target == "value"]
    return tuple(dict.fromkeys(selector for selector in wanted if isinstance(selector, str)))


def acted_event(action: Action, number: int, url: str, html: str | None, references: Sequence[str]) -> Event:
    """The event of one action that was carried out.

    Args:
        action: with its element's fingerprint.
        number: of its step.
        url, html: of the page that the action found; html None = not known.
        references: selectors to hold the element against; the event keeps the answers, not the page.

    An element in a frame or a shadow tree is on no recorded page: it is nobody's reference, and has no text.
    A page or path beyond the bounds of `Page` is one that isn't known.
    """
    target = target_of(action)
    if target is None or not isinstance(action, WITH_ELEMENT):
        return Event(url=url, number=number)
    page = Page(None if target.frame_url else html)
    path = target.selector or None
    known = html is not None or bool(target.frame_url)
    event = Event(url=url, number=number, path=path or target.path or target.name)
    try:
        value = _value(action, page, path)
        same = {reference: page.same_element(path, reference, SELECTOR) for reference in references}
    except BadData:
        return msgspec.structs.replace(event, value=_entered(action))
    return msgspec.structs.replace(event, value=value, same=same if known else None)


def _entered(action: Action) -> str:
    """What an action enters, as far as it says so itself."""
    if isinstance(action, Type):
        return action.text
    if isinstance(action, SetRange):
        return f"{action.value:g}"
    return ", ".join(action.options) if isinstance(action, Select) else ""


def _value(action: Action, page: Page, path: str | None) -> Json:
    if isinstance(action, Select):
        return ", ".join(page.option_label(path, option) for option in action.options)
    if isinstance(action, Type | SetRange):
        return _entered(action)
    element = page.element(path)
    return "" if element is None else element_value(element)
