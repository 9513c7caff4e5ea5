"""What an action shows to the key nodes: the element it acted on, and that element's value.

As in the framework only clicks, entries and choices have an element. The value is what was typed or chosen,
of anything else the text that a clicked element is taken to have (`element_values.element_value`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.element_values import element_value
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import Event
from webbench.benchmarks.webcanvas.scoring.recorded_page import SELECTOR, Page
from webbench.core.action.action import Action, Check, Click, Select, SetRange, Submit, Type, target_of
from webbench.core.errors import BadData
from webbench.core.json_types import Json

WITH_ELEMENT = (Click, Type, Select, Check, SetRange, Submit)


def has_element(action: Action) -> bool:
    """Whether the action can be one on an element, as key nodes see it."""
    return isinstance(action, WITH_ELEMENT) and target_of(action) is not None


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
