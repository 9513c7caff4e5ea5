"""The screenshot of a recorded page, with the action that was done there marked on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual.strip import Strip

from webbench.core.action.aim import Aim
from webbench.core.observation import Box
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import ASCII, glyphs_of
from webbench.tui.widgets.lines.line import splice
from webbench.tui.widgets.picture.overlay import CellBox, outline_row
from webbench.tui.widgets.picture.screenshot import ScreenshotView

if TYPE_CHECKING:
    from PIL.Image import Image

    from webbench.core.observation import Screenshot

NO_AIM = Aim()
POINT_REACH = 12.0
"""CSS px around a point that are outlined."""


@dataclass(frozen=True, slots=True)
class AimMark:
    """Where an action pointed, and the word that stands beside it."""

    aim: Aim = NO_AIM
    word: str = ""


class RecordedPicture(ScreenshotView):
    """Takes pictures that are decoded already; `mark` is drawn in a colour of its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"recorded-picture--action", "recorded-picture--word"}

    DEFAULT_CSS = """
    RecordedPicture {
        & > .recorded-picture--action { color: #ff8c1a; text-style: bold; }
        & > .recorded-picture--word { color: #000000; background: #ff8c1a; text-style: bold; }
    }
    """

    def __init__(self, *values: Any, **names: Any) -> None:
        super().__init__(*values, **names)
        self._mark = AimMark()
        self.set_reactive(ScreenshotView.marks, False)

    def show_decoded(self, screenshot: Screenshot, image: Image) -> None:
        """Show a picture without decoding it anew; half-blocks at once, with the rest of the frame."""
        self.show(
            screenshot.data,
            scale=screenshot.scale,
            full_page=screenshot.full_page,
            origin=screenshot.origin,
        )
        if self._data is not screenshot.data:
            return
        self._image = image
        if self.graphics.mode == "half-block" and self.size.width > 0:
            self._view = self._view_for(image)
            self._take(*self._drawn(image, self._view))
            self._stale.clear()

    @property
    def mark(self) -> AimMark:
        return self._mark

    @mark.setter
    def mark(self, mark: AimMark) -> None:
        self._mark = mark
        self._follow()
        self.refresh()

    def centre_box(self) -> Box | None:
        return super().centre_box() or self._marked_box()

    def _overlay(self, strip: Strip, y: int, width: int) -> Strip:
        strip = super()._overlay(strip, y, width)
        drawing, box = self._drawing, self._marked_box()
        if drawing is None or box is None:
            return strip
        cells = CellBox.around(box, self.viewfinder)
        if y in cells.rows():
            style = component_style(self, "recorded-picture--action")
            strip = outline_row(
                strip,
                y,
                cells,
                style,
                width,
                drawing.half_blocks,
                drawing.margin[0],
                ascii_only=glyphs_of(self) is ASCII,
            )
        if self._mark.word and y == self._word_row(cells):
            word = f" {self._mark.word}{self._whereabouts(cells)} "
            column = max(0, min(cells.left - 1, width - len(word)))
            style = component_style(self, "recorded-picture--word")
            strip = splice(strip, column, [Segment(word, style)], width)
        return strip

    def _whereabouts(self, cells: CellBox) -> str:
        """Where an element lies that the picture doesn't show: it was scrolled to first."""
        if cells.top >= self.content_region.height:
            return " below the picture"
        return " above the picture" if cells.bottom <= 0 else ""

    def _word_row(self, cells: CellBox) -> int:
        """Above the outline where there is room, else below it, else on it; at the edge if it is beyond."""
        height = self.content_region.height
        if cells.top >= height or cells.bottom <= 0:
            return height - 1 if cells.top >= height else 0
        if cells.top >= 2:
            return min(cells.top - 2, height - 1)
        return cells.bottom + 1 if cells.bottom + 1 < height else 0

    def _marked_box(self) -> Box | None:
        aim = self._mark.aim
        if aim.box is not None:
            return aim.box
        if aim.point is None:
            return None
        x, y = aim.point
        return Box(x - POINT_REACH, y - POINT_REACH, 2 * POINT_REACH, 2 * POINT_REACH)
