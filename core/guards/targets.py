"""Which elements of an observed page an action is about: its target, and the controls that hold it."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.action.action import (
    Action,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Press,
    Type,
    UploadAt,
    target_of,
)
from webbench.core.observation import AccessibilityNode, Observation


def aimed_at(action: Action, page: Observation) -> tuple[AccessibilityNode, ...]:
    """The elements meant, each followed by those around it, innermost first; empty where none is known.

    Of an action by coordinates all that lie there; of keys without a target what has the focus. Where a
    reference may mean several elements, all of them.
    """
    found: dict[int, AccessibilityNode] = {}
    for node in _meant(action, page):
        for one in (node, *around(node, page)):
            found.setdefault(one.id, one)
    return tuple(found.values())


def around(node: AccessibilityNode, page: Observation) -> Iterator[AccessibilityNode]:
    """The nodes that hold this one, from the inside out, without the page itself."""
    at = next((index for index, one in enumerate(page.nodes) if one.id == node.id), 0)
    depth = node.depth
    for other in reversed(page.nodes[:at]):
        if other.depth < depth:
            depth = other.depth
            if depth > 0:
                yield other


def _meant(action: Action, page: Observation) -> Iterator[AccessibilityNode]:
    match action:
        case ClickAt() | MouseDown() | MouseUp() | UploadAt():
            yield from _at(action.x, action.y, page)
        case DragAt():
            yield from _at(action.x, action.y, page)
            yield from _at(action.to_x, action.to_y, page)
        case Drag():
            yield from _named(action.source, page)
            yield from _named(action.target, page)
        case Press(target=None) | Type(target=None) | KeyDown() | KeyUp():
            yield from (node for node in page.nodes if node.id == page.focused)
        case _:
            target = target_of(action)
            if target is not None:
                yield from _named(target, page)


def _named(ref: ElementRef, page: Observation) -> Iterator[AccessibilityNode]:
    for node in page.nodes:
        by_field = bool(ref.field) and node.attributes.get("name") == ref.field
        by_name = bool(ref.role and ref.name) and (node.role, node.name) == (ref.role, ref.name)
        if node.id == ref.id or by_field or by_name or (ref.box is not None and node.box == ref.box):
            yield node


def _at(x: float, y: float, page: Observation) -> Iterator[AccessibilityNode]:
    """What lies at a point of the viewport, the smallest first; the page itself lies everywhere."""
    inside = (node for node in page.nodes if node.depth > 0)
    here = [(node.box, node) for node in inside if node.box is not None and node.box.contains(x, y)]
    yield from (node for _, node in sorted(here, key=lambda one: one[0].width * one[0].height))
