"""Screenshots of a report: each is in the page once, however often it is shown, with marks drawn over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.action import Action, ClickAt, Drag, DragAt, ElementRef, HoverAt, target_of
from webbench.core.observation import Box, Observation, Screenshot
from webbench.core.report.page import picture_url

POINT = 14.0
"""Radius of the circle around a point, in CSS px."""


class Shape(msgspec.Struct, frozen=True):
    """A mark, in pixels of its picture: a box (x, y, width, height), a circle (x, y, radius) or a line from
    (x, y) to (width, height)."""

    kind: Literal["box", "point", "line"]
    x: float
    y: float
    width: float
    height: float = 0.0


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A picture at one place of the page.

    Attributes:
        name: of the picture that is kept once, for `<use>`.
        marks: where something was done.
        alt: what it shows, in words.
    """

    name: str
    width: int
    height: int
    marks: Sequence[Shape] = ()
    alt: str = ""


class Gallery:
    """The pictures of one page."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, Screenshot]] = {}
        """Name and picture by the name of its blob."""

    def show(
        self, blob: str, picture: Screenshot, marks: Sequence[Shape] = (), alt: str = ""
    ) -> Shown | None:
        """A place that shows the picture; None for one whose size is unknown."""
        if not picture.width or not picture.height:
            return None
        name, _ = self.kept.setdefault(blob, (f"picture-{len(self.kept) + 1}", picture))
        return Shown(name=name, width=picture.width, height=picture.height, marks=marks, alt=alt)

    @property
    def images(self) -> list[tuple[str, int, int, str]]:
        """Name, width, height and address of each picture."""
        return [
            (name, one.width, one.height, picture_url(one.data, one.format))
            for name, one in self.kept.values()
        ]


def marks(action: Action | None, seen: Observation, picture: Screenshot) -> list[Shape]:
    """Where an action took place on the picture of the page it was done on; empty where that isn't known."""
    if action is None:
        return []
    if isinstance(action, ClickAt | HoverAt):
        return _placed([Shape("point", action.x, action.y, POINT)], seen, picture)
    if isinstance(action, DragAt):
        line = Shape("line", action.x, action.y, action.to_x, action.to_y)
        return _placed([Shape("point", action.x, action.y, POINT), line], seen, picture)
    elements = [action.source, action.target] if isinstance(action, Drag) else [target_of(action)]
    boxes = [box for box in (place_of(element, seen) for element in elements) if box is not None]
    shapes = [Shape("box", box.x, box.y, box.width, box.height) for box in boxes]
    return _placed(shapes, seen, picture)


def place_of(element: ElementRef | None, seen: Observation) -> Box | None:
    """Where an element was on the page that was seen, None where that isn't recorded.

    An action that scrolled to its element tells where it was by then, so what was seen comes first.
    """
    if element is None:
        return None
    node = seen.node(element.id) if element.id is not None else None
    box = (node.box if node is not None else None) or element.box
    return box if box is not None and box.width > 0 and box.height > 0 else None


def _placed(shapes: Sequence[Shape], seen: Observation, picture: Screenshot) -> list[Shape]:
    """From CSS px of the viewport to pixels of the picture; what lies outside of it is left out."""
    view, scale = seen.viewport, picture.scale or 1.0
    left, top = (view.scroll_x, view.scroll_y) if picture.full_page else (0.0, 0.0)
    found = []
    for one in shapes:
        x, y = (one.x + left) * scale, (one.y + top) * scale
        ends = one.kind == "line"
        width = (one.width + (left if ends else 0.0)) * scale
        height = (one.height + (top if ends else 0.0)) * scale
        if Box(x, y, max(width, 1.0), max(height, 1.0)).intersects(picture.width, picture.height) or ends:
            found.append(Shape(one.kind, round(x, 1), round(y, 1), round(width, 1), round(height, 1)))
    return found
