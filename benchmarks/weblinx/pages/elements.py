"""Which element of a page an action is done to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import msgspec

from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.intents import ELEMENT_INTENTS
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

_SHOWN = 60

CORNERS = ("top", "left", "right", "bottom")


class UnreadablePage(BadData):
    """The files of a page can't be used, so nobody can tell which element an action means."""


class Page(Protocol):
    """What is known of a page's elements; it may be read when it is first asked for.

    Asking raises `UnreadablePage` where there is something and it can't be used.
    """

    @property
    def boxes(self) -> Mapping[str, JsonObject] | None:
        """By id {"left", "top", "right", "bottom", "width", "height", ...} in CSS pixels.

        None where the turn has no page or the page no boxes.
        """
        ...

    @property
    def xpaths(self) -> Mapping[str, str]:
        """Path by id of the elements in the page's HTML; the path may be ""."""
        ...


class PageElements(msgspec.Struct, frozen=True):
    """A page whose elements are known, as `Page` tells of them."""

    boxes: Mapping[str, JsonObject] | None = None
    xpaths: Mapping[str, str] = {}


def element_at(boxes: Mapping[str, JsonObject] | None, x: Json, y: Json) -> str | None:
    """The id of the smallest element around a point, the first among equals; None where there is none.

    Boxes are grown to whole pixels and their edges count. The size is width times height as stored; elements
    of size 0 are passed over. Raises `BadData` for a box or point that can't be compared.
    """
    if boxes and not isinstance(boxes, Mapping):
        raise BadData(f"boxes are an object of boxes by id, these are {repr(boxes)[:_SHOWN]}")
    smallest: float | None = None
    found = None
    for identity, box in (boxes or {}).items():
        try:
            left, right = math.floor(box["left"]), math.ceil(box["right"])
            top, bottom = math.floor(box["top"]), math.ceil(box["bottom"])
            if not (left <= x <= right and top <= y <= bottom):
                continue
            size = box["width"] * box["height"]
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise BadData(
                f"point {x!r}, {y!r} and the box of {identity!r} don't compare: {error!r}"
            ) from error
        if size != 0 and (smallest is None or size < smallest):
            smallest, found = size, identity
    return found


def element_of(page: Page, identity: Json) -> JsonObject | None:
    """An element by its id, where both the HTML and the boxes have it."""
    if not identity or not isinstance(identity, str):
        return None
    if identity not in page.xpaths:
        return None
    boxes = page.boxes
    if boxes is None or identity not in boxes:
        return None
    element: JsonObject = {"attributes": {ID: identity}, "bbox": boxes[identity]}
    path = page.xpaths[identity]
    return element | {"xpath": path} if path else element


def inferred_element(intent: str, args: JsonObject, page: Page) -> JsonObject | None:
    """The element that a predicted action means: by its id, else by x and y, else by its corners.

    An id that the page doesn't have is not replaced by the coordinates. Corners count only as integers, and
    `output.sanitised` makes floats of them, so in an evaluation they never lead to an element.
    Raises `BadData` as `element_at`.
    """
    if intent not in ELEMENT_INTENTS:
        return None
    for name in ("uid", ID):
        if name in args:
            return element_of(page, args[name])
    if "x" in args and "y" in args:
        if args["x"] is None or args["y"] is None:
            return None
        return element_of(page, element_at(page.boxes, args["x"], args["y"]))
    if all(isinstance(args.get(corner), int) for corner in CORNERS):
        x, y = (args["left"] + args["right"]) / 2, (args["top"] + args["bottom"]) / 2
        return element_of(page, element_at(page.boxes, x, y))
    return None
