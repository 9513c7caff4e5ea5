"""Screenshots of a report: each is in the page once, however often it is shown, with marks drawn over it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.action.aim import Aim
from webbench.core.observation import Box, Observation, Screenshot
from webbench.core.report.pages.standalone_page import picture_url

SMALL, SMALL_QUALITY = 800, 60
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
    """The pictures of one page.

    Args:
        small: they are kept at most `SMALL` pixels wide and with losses; marks stay where they are.
    """

    def __init__(self, *, small: bool = False) -> None:
        self.small = small
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
        return [(name, one.width, one.height, self._address(one)) for name, one in self.kept.values()]

    def _address(self, picture: Screenshot) -> str:
        smaller = shrunk(picture.data) if self.small else None
        if smaller is not None and len(smaller) < len(picture.data):
            return picture_url(smaller, "webp")
        return picture_url(picture.data, picture.format)


def shrunk(data: bytes) -> bytes | None:
    """The picture as a smaller WebP, None where it can't be read."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as picture:
            shown = picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    height = max(1, round(shown.height * min(1.0, SMALL / shown.width)))
    shown = shown.resize((min(SMALL, shown.width), height), Image.Resampling.LANCZOS)
    encoded = io.BytesIO()
    shown.save(encoded, "WEBP", quality=SMALL_QUALITY, method=4)
    return encoded.getvalue()


def marks(aimed: Aim, seen: Observation, picture: Screenshot) -> list[Shape]:
    """Where an action was aimed, on the picture of the page it was done on; empty where that isn't known.

    Args:
        seen: the page of the picture.
    """
    shapes = []
    start = aimed.point
    if aimed.box is not None and aimed.box.width > 0 and aimed.box.height > 0:
        shapes.append(Shape("box", aimed.box.x, aimed.box.y, aimed.box.width, aimed.box.height))
        start = aimed.box.centre
    elif aimed.point is not None:
        shapes.append(Shape("point", *aimed.point, POINT))
    if aimed.to is not None and start is not None:
        shapes.append(Shape("line", *start, *aimed.to))
    return _placed(shapes, seen, picture)


def _placed(shapes: Sequence[Shape], seen: Observation, picture: Screenshot) -> list[Shape]:
    """From CSS px of the viewport to pixels of the picture; what lies outside of it is left out."""
    scale = picture.scale or 1.0
    left, top = (-edge for edge in picture.corner(seen.viewport))
    found = []
    for one in shapes:
        x, y = (one.x + left) * scale, (one.y + top) * scale
        ends = one.kind == "line"
        width = (one.width + (left if ends else 0.0)) * scale
        height = (one.height + (top if ends else 0.0)) * scale
        if ends or Box(x, y, max(width, 1.0), max(height, 1.0)).intersects(picture.width, picture.height):
            found.append(Shape(one.kind, round(x, 1), round(y, 1), round(width, 1), round(height, 1)))
    return found
