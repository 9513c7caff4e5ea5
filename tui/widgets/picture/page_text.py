"""The page's own text as characters over a half-block picture that is too coarse to read."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style

from webbench.core.observation import AccessibilityNode, Box
from webbench.core.text.plain_text import plain_text
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.lines.line import wrap

if TYPE_CHECKING:
    from PIL.Image import Image

READABLE_FROM = 9.0
"""Most CSS pixels per column at which a page's letters find room: about their own width."""

STRETCH = 1.5
"""How far a line may run beyond its box where nothing else stands, as a multiple of its width."""

TEXTS = frozenset({"StaticText", "text"})
FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
TICKED = frozenset({"checkbox", "radio", "switch"})
LABEL_GAP = 4.0
"""CSS pixels between a tick box and its label."""
LABEL_REACH = 60.0
"""CSS pixels between a tick box and a text that may be its label."""
NO_TEXTS: Mapping[str, Sequence[Box]] = {}

SAMPLE = (48, 12)
LEAST_CONTRAST = 90.0

Colour = tuple[int, int, int]
TextRows = Mapping[int, Sequence[tuple[int, Segment]]]
"""Pieces by row of the pane: (column, text with its colours)."""


@dataclass(frozen=True, slots=True)
class TextArea:
    """A text and the cells of its box, right and bottom exclusive."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    node: AccessibilityNode


def readable(view: Viewfinder) -> bool:
    """Whether the picture is shown large enough for its text to be written over it."""
    return view.unit / view.scale <= READABLE_FROM


def place_page_text(nodes: Iterable[AccessibilityNode], image: Image, view: Viewfinder) -> TextRows:
    """The text of the nodes at their boxes, in the page's own colours.

    Takes a sample of the picture per line: call it off the event loop.
    """
    shown = list(nodes)
    told: dict[str, list[Box]] = {}
    for node in shown:
        if node.role in TEXTS and node.box is not None:
            told.setdefault(node.name.strip(), []).append(node.box)
    areas = [area for node in shown if (area := area_of(node, view, told)) is not None]
    starts: dict[int, list[int]] = {}
    for area in areas:
        for row in range(area.top, area.bottom):
            starts.setdefault(row, []).append(area.left)
    for columns in starts.values():
        columns.sort()
    placed: dict[int, list[tuple[int, Segment]]] = {}
    for area in areas:
        for row, segment in _lines(area, image, view, starts):
            placed.setdefault(row, []).append((area.left, segment))
    return placed


def shown_text(node: AccessibilityNode) -> str:
    """What of a node is written on the page itself, "" where its texts are nodes of their own."""
    if node.role in TEXTS:
        return plain_text(node.name.strip(), limit=2000)
    if node.role in FIELDS and node.tag in ("input", "textarea", "select"):
        return plain_text(node.value or node.attributes.get("placeholder", ""), limit=400)
    if node.tag == "input" and node.role == "button":
        return plain_text(node.name, limit=200)
    return ""


def area_of(
    node: AccessibilityNode, view: Viewfinder, told: Mapping[str, Sequence[Box]] = NO_TEXTS
) -> TextArea | None:
    """The cells a node's text may take, None where it has none in view or is only there for readers.

    Args:
        told: boxes of the texts that are nodes of their own. A tick box's label that is none of them (the
            browser leaves out labels that say only the name) is written beside the box.
    """
    box = node.box
    if box is None or node.offscreen or box.width < 4 or box.height < 6:
        return None
    if node.role in TICKED and not any(_beside(box, one) for one in told.get(node.name.strip(), ())):
        text = plain_text(node.name.strip(), limit=200)
        box = Box(box.x + box.width + LABEL_GAP, box.y, len(text) * view.unit / view.scale, box.height)
    else:
        text = shown_text(node)
    if not text:
        return None
    (first, top), (last, bottom) = (
        view.to_cell(box.x, box.y),
        view.to_cell(box.x + box.width, box.y + box.height),
    )
    margin, (columns, rows) = view.margin[0], view.cells
    left, right = max(margin, round(first)), min(margin + columns, math.ceil(last))
    middle = (top + bottom) / 2
    upper, lower = math.ceil(top - 0.5), math.floor(bottom - 0.5) + 1
    if upper >= lower:
        upper, lower = math.floor(middle), math.floor(middle) + 1
    upper, lower = max(0, upper), min(rows, lower)
    if right - left < 1 or upper >= lower:
        return None
    return TextArea(text, left, upper, right, lower, node)


def _beside(box: Box, label: Box) -> bool:
    """Whether a text may be a tick box's label: in its line, and not far from it."""
    above, below = label.y - box.y - box.height, box.y - label.y - label.height
    left, right = label.x - box.x - box.width, box.x - label.x - label.width
    return max(above, below) < 0 and max(left, right) < LABEL_REACH


def _lines(
    area: TextArea, image: Image, view: Viewfinder, starts: Mapping[int, list[int]]
) -> Iterable[tuple[int, Segment]]:
    """The rows of one text: its box is painted in its background, its lines are spread over it."""
    height, width = area.bottom - area.top, area.right - area.left
    wide = min(_room(area, starts) - area.left, max(width, round(width * STRETCH)))
    text = f" {area.text}" if area.node.role in FIELDS or area.node.tag == "input" else area.text
    lines = [text] if cell_len(text) <= wide else wrap(text, wide if height == 1 else width, height)
    paper = _paper(image, view, area)
    ink = _ink(image, _pixels(view, area.left, area.top, area.right, area.bottom), paper)
    at = {area.top + int((number + 0.5) * height / len(lines)): line for number, line in enumerate(lines)}
    for row in range(area.top, area.bottom):
        line = at.get(row, "")
        shown = set_cell_size(line, max(width, cell_len(line)))
        bold = height > 1 and len(lines) == 1
        yield row, Segment(shown, _style(legible(ink, paper), paper, bold))


def _room(area: TextArea, starts: Mapping[int, list[int]]) -> int:
    """The first column right of the area at which another text begins."""
    nearest = 1 << 30
    for row in range(area.top, area.bottom):
        columns = starts[row]
        following = bisect_right(columns, area.left)
        if following < len(columns):
            nearest = min(nearest, columns[following] - 1)
    return max(area.right, nearest) if nearest < 1 << 30 else area.right * 2


def _pixels(view: Viewfinder, left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
    """The picture's pixels under some cells."""
    window, unit, margin = view.window, view.unit, view.margin[0]
    x, y = window[0] + (left - margin) * unit, window[1] + top * 2 * unit
    x_end, y_end = window[0] + (right - margin) * unit, window[1] + bottom * 2 * unit
    return (
        max(0, int(x)),
        max(0, int(y)),
        min(view.width, max(int(x) + 1, round(x_end))),
        min(view.height, max(int(y) + 1, round(y_end))),
    )


def _paper(image: Image, view: Viewfinder, area: TextArea) -> Colour:
    """What the text stands on: the commonest colour beside its box, or just inside a field's."""
    box = area.node.box
    if box is None:
        return 255, 255, 255
    inside = area.node.role in FIELDS
    left, right = (box.x + 3, box.x + 7) if inside else (box.x - 5, box.x - 1)
    top, bottom = box.y + box.height * 0.2, box.y + box.height * 0.8
    corners = [(value - view.origin_x) * view.scale for value in (left, right)]
    heights = [(value - view.origin_y) * view.scale for value in (top, bottom)]
    part = (
        min(view.width - 1, max(0, int(corners[0]))),
        min(view.height - 1, max(0, int(heights[0]))),
        min(view.width, max(1, int(corners[1]) + 1)),
        min(view.height, max(1, int(heights[1]) + 1)),
    )
    if part[0] >= part[2] or part[1] >= part[3]:
        return 255, 255, 255
    return max(_counted(image, part))[1]


def _ink(image: Image, box: tuple[int, int, int, int], paper: Colour) -> Colour:
    """The colour in a part of the picture that differs most from the paper."""
    return max((colour for _, colour in _counted(image, box)), key=lambda colour: contrast(colour, paper))


def _counted(image: Image, box: tuple[int, int, int, int]) -> list[tuple[int, Colour]]:
    """How often each colour is in a sample of a part of the picture."""
    from PIL.Image import Resampling

    part = image.crop(box)
    size = min(part.width, SAMPLE[0]), min(part.height, SAMPLE[1])
    found = part.resize(size, Resampling.NEAREST).getcolors(SAMPLE[0] * SAMPLE[1])
    # Pillow knows of no more than that a colour is one number or several; these pictures are RGB.
    return cast("list[tuple[int, Colour]] | None", found) or [(1, (0, 0, 0))]


def contrast(one: Colour, other: Colour) -> float:
    """Difference in brightness, 0 to 255."""
    return abs(brightness(one) - brightness(other))


def brightness(colour: Colour) -> float:
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def legible(ink: Colour, paper: Colour) -> Colour:
    """The ink where it stands out from the paper, else black or white."""
    if contrast(ink, paper) >= LEAST_CONTRAST:
        return ink
    return (0, 0, 0) if brightness(paper) > 127 else (255, 255, 255)


def _style(ink: Colour, paper: Colour, bold: bool) -> Style:
    return Style(
        color=Color.from_triplet(ColorTriplet(*ink)),
        bgcolor=Color.from_triplet(ColorTriplet(*paper)),
        bold=bold,
    )
