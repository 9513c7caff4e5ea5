"""Set-of-marks: numbered boxes of the visible controls, drawn over a screenshot."""

from __future__ import annotations

import colorsys
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

GOLDEN_ANGLE = 0.381966
LABEL_SIZE = 12
QUALITY = 85


def marked(observation: Observation) -> list[AccessibilityNode]:
    """The nodes that get a mark: interactive, in the viewport, and no label around a marked control."""
    nodes = [node for node in observation.nodes if node.interactive and node.box and not node.offscreen]
    return [node for node in nodes if node.box and node.box.width > 0 and not _is_nested(node, nodes)]


def colour_of(id: int) -> tuple[int, int, int]:
    """An id's own colour: the same in every picture, far from its neighbours', dark enough for white."""
    red, green, blue = colorsys.hls_to_rgb(id * GOLDEN_ANGLE % 1, 0.36, 0.85)
    return round(red * 255), round(green * 255), round(blue * 255)


def draw_marks(screenshot: Screenshot, observation: Observation) -> Screenshot:
    """The picture with a box and the id of every marked node; format and size stay.

    A full-page picture is taken to begin at the top of the page, one of a part at its origin.
    """
    from PIL import Image, ImageDraw

    picture = Image.open(io.BytesIO(screenshot.data)).convert("RGB")
    draw = ImageDraw.Draw(picture)
    view = observation.viewport
    left, top = screenshot.corner(view)
    for node in marked(observation):
        if node.box:
            _draw_mark(draw, node.id, node.box, screenshot.scale, (-left, -top))
    buffer = io.BytesIO()
    picture.save(buffer, screenshot.format.upper(), **_encoding(screenshot.format))
    return msgspec.structs.replace(screenshot, data=buffer.getvalue())


def _draw_mark(draw: ImageDraw, id: int, box: Box, scale: float, shift: tuple[float, float]) -> None:
    from PIL import ImageFont

    colour = colour_of(id)
    left, top = (box.x + shift[0]) * scale, (box.y + shift[1]) * scale
    right, bottom = left + box.width * scale, top + box.height * scale
    draw.rectangle((left, top, max(right, left + 1), max(bottom, top + 1)), outline=colour, width=2)
    font = ImageFont.load_default(LABEL_SIZE * max(scale, 1))
    text = str(id)
    x0, y0, x1, y1 = draw.textbbox((0, 0), text, font=font)
    width, height = x1 - x0 + 4, y1 - y0 + 4
    label_top = top - height if top >= height else top
    draw.rectangle((left, label_top, left + width, label_top + height), fill=colour)
    draw.text((left + 2 - x0, label_top + 2 - y0), text, fill="white", font=font)


def _encoding(format: str) -> dict[str, int | bool]:
    return {"compress_level": 1} if format == "png" else {"quality": QUALITY}


def _is_nested(node: AccessibilityNode, nodes: Sequence[AccessibilityNode]) -> bool:
    """Whether a label already marked holds this node, so that two marks would say the same."""
    return node.role != "LabelText" and any(
        label.role == "LabelText"
        and label is not node
        and label.box
        and node.box
        and _holds(label.box, node.box)
        for label in nodes
    )


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and outer.x + outer.width >= inner.x + inner.width
        and outer.y + outer.height >= inner.y + inner.height
    )
