"""The figures of a section as rows; Enter asks for the episodes behind one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.statistics.figures import Figure, Section
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.figure_lines import FigureLine, in_ascii, section_lines
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.glyphs import UNICODE
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

MARGIN = 3
"""Cells beside a line: the sign that episodes are behind it, and a blank on either side."""

PARTS = {"title": "figure-rows--title", "head": "figure-rows--head", "note": "row-list--muted"}


class FigureRows(RowList):
    """Set `section`; it is drawn anew for every width."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "figure-rows--title",
        "figure-rows--head",
        "figure-rows--sign",
    }

    DEFAULT_CSS = """
    FigureRows {
        & > .figure-rows--title { color: $foreground; text-style: bold underline; }
        & > .figure-rows--head { color: $foreground-muted; text-style: bold; }
        & > .figure-rows--sign { color: $text-accent; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("figure")]

    @dataclass
    class Asked(Message):
        """The episodes behind a row are wanted; there may be none."""

        episodes: tuple[str, ...]

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._section: Section | None = None
        self._lines: list[FigureLine] = []
        self._drawn_at = 0

    @property
    def section(self) -> Section | None:
        return self._section

    @section.setter
    def section(self, section: Section | None) -> None:
        if section is self._section:
            return
        self._section = section
        self._draw()
        self.cursor = 0
        self.scroll_to(y=0, animate=False)

    def renew(self, section: Section) -> None:
        """More is known of the same section: the cursor and what is in view stay."""
        self._section = section
        self._draw()

    @property
    def row_count(self) -> int:
        return len(self._lines)

    @property
    def episodes(self) -> tuple[str, ...]:
        """Behind the row under the cursor, "run/episode" each."""
        return self._lines[self.cursor].episodes if 0 <= self.cursor < len(self._lines) else ()

    def go_to(self, figure: Figure) -> None:
        """Put the cursor on the first row of a figure of the section, its title in view."""
        figures = self._section.figures if self._section else ()
        number = next((at for at, one in enumerate(figures) if one is figure), 0)
        titles = [at for at, line in enumerate(self._lines) if line.part == "title"]
        if not titles:
            return
        top = titles[number]
        end = titles[number + 1] if number + 1 < len(titles) else len(self._lines)
        self.cursor = next((at for at in range(top, end) if self._lines[at].part == "row"), top)
        self.scroll_to(y=top, animate=False)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._drawn_at:
            self._draw()

    def _draw(self) -> None:
        self._drawn_at = self.scrollable_content_region.width
        room = max(20, self._drawn_at - MARGIN)
        drawn = section_lines(self._section.figures, room, makes_room=True) if self._section else []
        self._lines = [line for line in drawn if line.part != "rule"]
        if self._section is not None:
            self.border_title = Content(plain_text(self._section.title, limit=120))
        self._show_count()
        self.rows_changed()

    def row_line(self, row: int, width: int) -> Line:
        line = self._lines[row]
        sign = self.glyphs.folded if line.episodes else " "
        drawn = Line(width).add(f"{sign} ", self.part("figure-rows--sign"))
        text = line.text if self.glyphs is UNICODE else in_ascii(line.text)
        return drawn.add(text, self.part(PARTS.get(line.part, "row-list--row")))

    def row_focused(self, row: int) -> None:
        self._show_count()

    def row_activated(self, row: int) -> None:
        self.post_message(self.Asked(self.episodes))

    def _show_count(self) -> None:
        behind = len(self.episodes)
        self.border_subtitle = Content(f"{counted(behind, 'episode')} behind this row" if behind else "")
