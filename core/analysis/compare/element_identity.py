"""What an action was done to, told so that it can be found again in another run: by role and name.

An element without a name is told by the named nodes around it (one of which only a selector is known, by that
alone; one of which nothing is known, by its id). A point is told by the smallest named element that lies
there, else by the part of the page around it.
"""

from __future__ import annotations

from webbench.core.action.action import (
    Action,
    ClickAt,
    DragAt,
    ElementRef,
    HoverAt,
    MouseDown,
    MouseUp,
    UploadAt,
    target_of,
)
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.caseless import caseless

CELL = 40.0
"""CSS pixels: points in one cell of such a grid count as the same place."""

Element = tuple[str, str]
"""Role and name, casefolded; either may be ""."""


def element_of(action: Action | None, seen: Observation | None) -> Element | None:
    """The element that an action was done to, None for actions that have none.

    Args:
        seen: the page that the actor had before it.
    """
    if isinstance(action, ClickAt | HoverAt | DragAt | MouseDown | MouseUp | UploadAt):
        return _at_point(action.x, action.y, seen)
    reference = target_of(action) if action is not None else None
    return _named(reference, seen) if reference is not None else None


def _named(reference: ElementRef, seen: Observation | None) -> Element | None:
    node = seen.node(reference.id) if seen is not None and reference.id is not None else None
    role = reference.role or (node.role if node is not None else "")
    name = reference.name or (node.name if node is not None else "")
    if caseless(name):
        return role, caseless(name)
    if reference.field:
        return role, caseless(f"{reference.field} {reference.option}")
    if node is not None and seen is not None:
        return role, _around(node, seen)
    if reference.selector:
        return None
    return (role, f"[{reference.id}]") if reference.id is not None else (role, "")


def _around(node: AccessibilityNode, seen: Observation) -> str:
    """The nearest names before and after a node: what is in it, or else follows it, comes after."""
    at = seen.nodes.index(node)
    before = next((one.name for one in reversed(seen.nodes[:at]) if caseless(one.name)), "")
    after = next((one.name for one in seen.nodes[at + 1 :] if caseless(one.name)), "")
    return caseless(f"between {before} and {after}")


def _at_point(x: float, y: float, seen: Observation | None) -> Element:
    boxes = [
        (node.box.width * node.box.height, -at, node)
        for at, node in enumerate(seen.nodes if seen is not None else ())
        if node.box is not None and node.depth and node.box.contains(x, y) and caseless(node.name)
    ]
    if boxes:
        node = min(boxes, key=lambda one: one[:2])[2]
        return node.role, caseless(node.name)
    return "point", f"{int(x // CELL)},{int(y // CELL)}"
