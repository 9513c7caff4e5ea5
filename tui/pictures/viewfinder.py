"""Which part of a picture a pane shows, and how page, picture and cells relate. Pure geometry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from webbench.core.observation import Box

MAX_ZOOM = 16.0
CELL_RATIO = 2
"""A cell is about twice as high as wide: two square pixels of a half-block picture."""


@dataclass(frozen=True, slots=True)
class Viewfinder:
    """A window on a picture of `width` x `height` px inside a pane of `columns` x `rows` cells.

    Attributes:
        scale: picture pixels per CSS pixel.
        origin_x, origin_y: page position of the picture's corner relative to the viewport (CSS px);
            minus the scroll offset for a picture of the whole page.
        zoom: 1 shows all of the picture.
        left, top: upper left corner of the window (picture px).
    """

    width: int
    height: int
    columns: int
    rows: int
    scale: float = 1.0
    origin_x: float = 0.0
    origin_y: float = 0.0
    zoom: float = 1.0
    left: float = 0.0
    top: float = 0.0

    @property
    def unit(self) -> float:
        """Picture pixels per column; a row has twice as many."""
        fit = max(self.width / max(1, self.columns), self.height / max(1, self.rows * CELL_RATIO))
        return max(fit / self.zoom, 1e-6)

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is shown (picture px)."""
        wide = min(self.width, self.columns * self.unit)
        high = min(self.height, self.rows * CELL_RATIO * self.unit)
        left = min(max(0.0, self.left), self.width - wide)
        top = min(max(0.0, self.top), self.height - high)
        return left, top, left + wide, top + high

    @property
    def cells(self) -> tuple[int, int]:
        """Columns and rows that the window fills, at least one of each."""
        left, top, right, bottom = self.window
        columns = round((right - left) / self.unit)
        rows = -(-round((bottom - top) / self.unit) // CELL_RATIO)
        return max(1, min(self.columns, columns)), max(1, min(self.rows, rows))

    @property
    def margin(self) -> tuple[int, int]:
        """Blank columns left of and rows above the picture, which stands in the middle, at the top."""
        return (self.columns - self.cells[0]) // 2, 0

    def to_cell(self, x: float, y: float) -> tuple[float, float]:
        """Column and row of a page point, as fractions; may lie outside the pane."""
        left, top, _, _ = self.window
        margin_left, margin_top = self.margin
        column = ((x - self.origin_x) * self.scale - left) / self.unit + margin_left
        row = ((y - self.origin_y) * self.scale - top) / (self.unit * CELL_RATIO) + margin_top
        return column, row

    def to_page(self, column: float, row: float) -> tuple[float, float] | None:
        """Page point (CSS px) under a place in the pane, None outside the picture."""
        left, top, right, bottom = self.window
        margin_left, margin_top = self.margin
        x = left + (column - margin_left) * self.unit
        y = top + (row - margin_top) * self.unit * CELL_RATIO
        if not (left <= x < right and top <= y < bottom):
            return None
        return x / self.scale + self.origin_x, y / self.scale + self.origin_y

    def zoomed(self, factor: float, at: tuple[float, float] | None = None) -> Viewfinder:
        """Zoom by a factor, keeping the picture point under `at` (column, row), or the middle, in place."""
        zoom = min(MAX_ZOOM, max(1.0, self.zoom * factor))
        column, row = at or (self.columns / 2, self.rows / 2)
        left, top, _, _ = self.window
        margin_left, margin_top = self.margin
        x = left + (column - margin_left) * self.unit
        y = top + (row - margin_top) * self.unit * CELL_RATIO
        after = replace(self, zoom=zoom)
        margin_left, margin_top = after.margin
        return replace(
            after,
            left=x - (column - margin_left) * after.unit,
            top=y - (row - margin_top) * after.unit * CELL_RATIO,
        ).settled()

    def panned(self, columns: float, rows: float) -> Viewfinder:
        """Move the window by cells."""
        left, top, _, _ = self.window
        return replace(
            self, left=left + columns * self.unit, top=top + rows * self.unit * CELL_RATIO
        ).settled()

    def settled(self) -> Viewfinder:
        """The same view with its corner inside the picture."""
        left, top, _, _ = self.window
        return replace(self, left=left, top=top)

    def fitted(self) -> Viewfinder:
        return replace(self, zoom=1.0, left=0.0, top=0.0)

    def fitted_width(self) -> Viewfinder:
        """Fill the pane's width, showing the top of a tall picture."""
        whole = self.fitted()
        return replace(whole, zoom=max(1.0, whole.unit * self.columns / self.width))

    def following(self, box: Box | None, unit: float) -> Viewfinder:
        """At most so many picture pixels per column; moved only as far as a page box is not in it.

        A box larger than the window is shown from its beginning.
        """
        zoom = max(1.0, self.fitted().unit / unit)
        close = replace(self, zoom=zoom).settled()
        if box is None or zoom == 1.0:
            return close
        left, top, right, bottom = close.window
        x, y = (box.x - self.origin_x) * self.scale, (box.y - self.origin_y) * self.scale
        return replace(
            close,
            left=_moved(left, right, x, x + box.width * self.scale),
            top=_moved(top, bottom, y, y + box.height * self.scale),
        ).settled()

    def cropped(self, box: Box, air: float = 0.25) -> Viewfinder:
        """Show a page box as large as the pane allows, with some air around it."""
        wide, high = max(1.0, box.width * self.scale), max(1.0, box.height * self.scale)
        wide, high = wide * (1 + air) + 24, high * (1 + air) + 24
        whole = self.fitted()
        unit = max(wide / self.columns, high / (self.rows * CELL_RATIO))
        close = replace(whole, zoom=min(MAX_ZOOM, max(1.0, whole.unit / unit)))
        x, y = box.centre
        return replace(
            close,
            left=(x - self.origin_x) * self.scale - self.columns * close.unit / 2,
            top=(y - self.origin_y) * self.scale - self.rows * CELL_RATIO * close.unit / 2,
        ).settled()


def _moved(start: float, end: float, first: float, last: float) -> float:
    """Where a window begins, so that a span is in it: in the middle, unless it was in it already."""
    if start <= first and last <= end:
        return start
    spare = (end - start) - (last - first)
    return first - spare / 2 if spare >= 0 else first
