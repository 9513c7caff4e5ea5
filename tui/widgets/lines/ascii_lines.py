"""Every line on its way to a terminal that shows nothing but ASCII."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from webbench.tui.ascii_signs import in_ascii

HALF_BLOCK = "▀"


class AsciiLines(LineFilter):
    """Draws borders, scroll bars and signs of all widgets in ASCII; pictures as fields of colour."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [one if one.control or one.text.isascii() else _plain(one) for one in segments]


def _plain(segment: Segment) -> Segment:
    text, style, _ = segment
    if style is not None and text.strip(HALF_BLOCK) == "":
        return Segment(" " * len(text), _mixed(style))
    return Segment(in_ascii(text), style)


@lru_cache(4096)
def _mixed(style: Style) -> Style:
    """For a cell of a picture: what lies between the colours of its upper and its lower half."""
    if style.color is None or style.bgcolor is None:
        return style
    upper, lower = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
    return Style(bgcolor=upper.blend(lower, 0.5).rich_color)
