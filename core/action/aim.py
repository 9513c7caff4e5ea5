"""Where an action pointed, and what it was aimed at, by the page it was done on."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import (
    Action,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    HoverAt,
    Inside,
    MouseDown,
    MouseUp,
    UploadAt,
    target_of,
)
from webbench.core.observation import AccessibilityNode, Box, Observation


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """Where an action pointed, in CSS px of the viewport of the page it was done on.

    Attributes:
        box: of the element, None where nothing tells.
        point: of an action by coordinates, or where a drag by coordinates began.
        to: where a drag ended.
        node: id of the element in the observation before the action, None where it isn't in there.
    """

    box: Box | None = None
    point: tuple[float, float] | None = None
    to: tuple[float, float] | None = None
    node: int | None = None

    @property
    def known(self) -> bool:
        return self.box is not None or self.point is not None


def aim(action: Action | None, before: Observation) -> Aim:
    """Where the action pointed: by the page as it was read before it, else by its own fingerprint."""
    match action:
        case None:
            return Aim()
        case ClickAt() | HoverAt() | MouseDown() | MouseUp() | UploadAt():
            return Aim(point=(action.x, action.y))
        case DragAt():
            return Aim(point=(action.x, action.y), to=(action.to_x, action.to_y))
    target = target_of(action)
    if target is None:
        return Aim()
    node = _node(target, before)
    end = action.target.box if isinstance(action, Drag) else None
    box = node.box if node is not None and node.box is not None else target.box
    at = action.source_at if isinstance(action, Drag) else getattr(action, "at", None)
    to = None
    if isinstance(action, Drag) and end is not None:
        to = _inside(end, action.target_at) if action.target_at else end.centre
    return Aim(
        box=box,
        point=_inside(box, at) if box and at else None,
        to=to,
        node=node.id if node is not None else None,
    )


def named(action: Action, before: Observation) -> Action:
    """The action with role and name of its element where it has only an id, as foreign records do."""
    target = target_of(action)
    if target is None or target.role or target.name:
        return action
    node = _node(target, before)
    if node is None:
        return action
    field = "source" if isinstance(action, Drag) else "target"
    return msgspec.structs.replace(
        action, **{field: msgspec.structs.replace(target, role=node.role, name=node.name)}
    )


def _node(target: ElementRef, before: Observation) -> AccessibilityNode | None:
    """The element on the page before: by its id, else by role and name, the nearest of several.

    An id that stands for another role there is of another page; a repeated action has none.
    """
    node = before.node(target.id) if target.id is not None else None
    if node is not None and (not target.role or node.role == target.role):
        return node
    if not (target.role and target.name):
        return None
    alike = [one for one in before.nodes if (one.role, one.name) == (target.role, target.name)]
    if len(alike) > 1:
        return min(alike, key=lambda one: _distance(one.box, target.box)) if target.box else None
    return alike[0] if alike else None


def _inside(box: Box, at: Inside) -> tuple[float, float]:
    """The point at these percents of a box's width and height."""
    return box.x + box.width * at[0] / 100, box.y + box.height * at[1] / 100


def _distance(one: Box | None, other: Box | None) -> float:
    if one is None or other is None:
        return float("inf")
    (x, y), (to_x, to_y) = one.centre, other.centre
    return abs(x - to_x) + abs(y - to_y)
