"""What is laid over a picture: an outline around a box and labels, as terminal cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from webbench.core.observation import Box
from webbench.tui.pictures.half_block import HalfBlocks
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.lines.line import splice


@dataclass(frozen=True, slots=True)
class CellBox:
    """A box in cells; right and bottom are the first cells behind it."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, box: Box, view: Viewfinder) -> CellBox:
        left, top = view.to_cell(box.x, box.y)
        right, bottom = view.to_cell(box.x + box.width, box.y + box.height)
        return cls(
            round(left), round(top), max(round(right), round(left) + 1), max(round(bottom), round(top) + 1)
        )

    def rows(self) -> range:
        """Rows the outline touches: it runs just outside the box."""
        return range(self.top - 1, self.bottom + 1)

    def pieces(self, row: int, *, ascii_only: bool = False) -> list[tuple[int, str]]:
        """The outline's characters in a row, as (column, text)."""
        wide = self.right - self.left
        if ascii_only:
            level = row in (self.top - 1, self.bottom)
            sides = [(self.left - 1, "|"), (self.right, "|")] if self.top <= row < self.bottom else []
            return [(self.left - 1, "+" + "-" * wide + "+")] if level else sides
        if row == self.top - 1:
            return [(self.left - 1, "▗" + "▄" * wide + "▖")]
        if row == self.bottom:
            return [(self.left - 1, "▝" + "▀" * wide + "▘")]
        if self.top <= row < self.bottom:
            return [(self.left - 1, "▐"), (self.right, "▌")]
        return []


def outline_row(
    strip: Strip,
    row: int,
    box: CellBox,
    colour: Style,
    width: int,
    picture: HalfBlocks | None,
    margin: int,
    *,
    ascii_only: bool = False,
) -> Strip:
    """Draw the outline's part of a row; over half blocks the picture shows through behind it."""
    for column, text in box.pieces(row, ascii_only=ascii_only):
        segments = [
            Segment(sign, colour + behind(picture, column + offset - margin, row, sign))
            for offset, sign in enumerate(text)
        ]
        strip = splice(strip, column, segments, width)
    return strip


def behind(picture: HalfBlocks | None, column: int, row: int, sign: str) -> Style:
    """The picture's colour as the background of an outline's cell."""
    if picture is None or not (0 <= column < picture.columns and 0 <= row < picture.rows):
        return Style()
    colour: Color = picture.colour(column, row, lower=sign in "▀▝▘")
    return Style(bgcolor=colour)


def label_row(
    strip: Strip,
    labels: Sequence[tuple[int, str, int]],
    plain: Style,
    focused: Style,
    id: int | None,
    width: int,
) -> Strip:
    """Lay the labels of a row over it; the focused node's last, so that it is never hidden."""
    for column, text, node in sorted(labels, key=lambda label: label[2] == id):
        strip = splice(strip, column, [Segment(text, focused if node == id else plain)], width)
    return strip
