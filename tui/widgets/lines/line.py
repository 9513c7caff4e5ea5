"""One terminal line put together from styled pieces that never exceed its width."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

NO_STYLE = Style()


def shorten(text: str, width: int, ellipsis: str = "…") -> str:
    """`text` cut to at most `width` cells; a cut is shown by the ellipsis. Wide characters stay whole."""
    if width <= 0:
        return ""
    if len(text) * 2 <= width:
        return text
    opening = _opening(text, width)
    if cell_len(opening) <= width:
        return text
    return set_cell_size(opening, width - 1).rstrip() + ellipsis if width > 1 else ellipsis


def shorten_middle(text: str, width: int, ellipsis: str = "…") -> str:
    """`text` in at most `width` cells, cut in its middle: names of like agents differ in their ends."""
    if width < 5 or cell_len(text) <= width:
        return shorten(text, width, ellipsis)
    tail = (width - 1) // 2
    end = set_cell_size(text[::-1], tail)[::-1].strip()
    return set_cell_size(text, width - 1 - cell_len(end)).rstrip() + ellipsis + end


def wrap(text: str, width: int, limit: int = 12) -> list[str]:
    """Break `text` at blanks into lines of at most `width` cells, at most `limit` of them.

    Blanks inside a line are kept as they are: two of them may be what a score is about.
    """
    lines: list[str] = []
    text = text.strip(" ")
    start = 0
    while start < len(text):
        opening = _opening(text, width, start)
        if len(lines) == limit - 1 or cell_len(opening) <= width:
            return [*lines, shorten(text[start:], width)]
        head = set_cell_size(opening, width)
        if not opening.startswith(head):
            head = head[:-1]
        if text[start + len(head)] != " " and (blank := head.rstrip(" ").rfind(" ")) > 0:
            head = head[:blank]
        lines.append(head)
        start += len(head)
        start += text.startswith(" ", start)
    return lines


def _opening(text: str, width: int, start: int = 0) -> str:
    """What of `text` from `start` on takes more than `width` cells, or all of the rest.

    Measuring costs time for each character, so a cut looks at no more of a long text than it needs.
    """
    length = 4 * width + 16
    while start + length < len(text) and cell_len(text[start : start + length]) <= width:
        length *= 2
    return text[start : start + length]


class Line:
    """Collects segments from the left; a right-hand part is reserved first with `right`."""

    __slots__ = ("_left", "_right", "room", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.room = width
        self._left: list[Segment] = []
        self._right: list[Segment] = []

    def add(self, text: str, style: Style = NO_STYLE, *, limit: int | None = None) -> Line:
        """Append `text`, shortened to the room that is left, or to `limit` cells."""
        room = self.room if limit is None else min(self.room, limit)
        if room > 0 and text:
            text = shorten(text, room)
            self.room -= cell_len(text)
            self._left.append(Segment(text, style))
        return self

    def right(self, text: str, style: Style = NO_STYLE) -> Line:
        """Reserve `text` at the right edge; parts follow each other from left to right."""
        size = cell_len(text)
        if size <= self.room:
            self.room -= size
            self._right.append(Segment(text, style))
        return self

    def strip(self, row_style: Style = NO_STYLE, over: Style | None = None) -> Strip:
        """The finished line: `row_style` lies under its pieces, `over` above them."""
        segments = [*self._left]
        if self.room:
            segments.append(Segment(" " * self.room, NO_STYLE))
        segments.extend(self._right)
        return Strip(Segment.apply_style(segments, row_style, over), self.width)


def splice(strip: Strip, column: int, segments: Sequence[Segment], width: int) -> Strip:
    """Lay `segments` over a strip from `column` on, clipped to the strip."""
    overlay = Strip(segments)
    if column < 0:
        overlay, column = overlay.crop(-column), 0
    room = width - column
    if room <= 0 or overlay.cell_length <= 0:
        return strip
    if overlay.cell_length > room:
        overlay = overlay.crop(0, room)
    return Strip.join([strip.crop(0, column), overlay, strip.crop(column + overlay.cell_length, width)])


def fitted(text: str, width: int, right: bool) -> str:
    """Cut or padded to exactly `width` cells."""
    text = shorten(text, width)
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks
