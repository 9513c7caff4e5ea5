"""Two pixels per cell: upper half block in the upper colour on the lower one. Works everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from webbench.tui.pictures.source import cut

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class HalfBlocks:
    """A picture as strips, with the RGB pixels they came from (two per cell, top to bottom)."""

    strips: list[Strip]
    pixels: bytes
    columns: int
    rows: int

    def colour(self, column: int, row: int, *, lower: bool) -> Color:
        """Colour of one half of a cell."""
        start = ((row * 2 + lower) * self.columns + column) * 3
        return Color.from_triplet(ColorTriplet(*self.pixels[start : start + 3]))


@lru_cache(maxsize=32_768)
def _style(upper: bytes, lower: bytes) -> Style:
    return Style(
        color=Color.from_triplet(ColorTriplet(*upper)), bgcolor=Color.from_triplet(ColorTriplet(*lower))
    )


def half_blocks(
    image: Image, window: tuple[float, float, float, float], columns: int, rows: int
) -> HalfBlocks:
    """Draw the window of an image into `columns` x `rows` cells.

    Colours are rounded to 6 bits per channel, which the eye does not see and which makes runs longer.
    """
    small = cut(image, window, columns, rows * 2).point(_ROUNDED)
    pixels = small.tobytes()
    stride = columns * 3
    strips = []
    for row in range(rows):
        start = row * 2 * stride
        upper, lower = pixels[start : start + stride], pixels[start + stride : start + 2 * stride]
        strips.append(Strip(_runs(upper, lower, stride), columns))
    return HalfBlocks(strips, pixels, columns, rows)


_ROUNDED = [min(255, (level + 2) // 4 * 4) for level in range(256)] * 3


def _runs(upper: bytes, lower: bytes, stride: int) -> list[Segment]:
    segments: list[Segment] = []
    last_upper, last_lower, length = upper[:3], lower[:3], 0
    for at in range(0, stride, 3):
        here_upper, here_lower = upper[at : at + 3], lower[at : at + 3]
        if here_upper != last_upper or here_lower != last_lower:
            segments.append(Segment("▀" * length, _style(last_upper, last_lower)))
            last_upper, last_lower, length = here_upper, here_lower, 0
        length += 1
    segments.append(Segment("▀" * length, _style(last_upper, last_lower)))
    return segments
