"""The list of sections of an analysis, each with its figures, to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.statistics.figures import Figure, Section
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList


class FigureIndex(RowList):
    """Set `sections`. A section's own row stands for its first figure."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"figure-index--section"}

    DEFAULT_CSS = """
    FigureIndex {
        & > .figure-index--section { color: $foreground; text-style: bold; }
    }
    """

    empty_text = "Reading the runs…"

    @dataclass
    class Chosen(Message):
        """The cursor came to rest on a figure; `opened`: Enter was pressed on it."""

        section: Section
        figure: Figure
        opened: bool = False

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._rows: list[tuple[Section, Figure | None]] = []

    @property
    def sections(self) -> Sequence[Section]:
        return [section for section, figure in self._rows if figure is None]

    @sections.setter
    def sections(self, sections: Sequence[Section]) -> None:
        here = self._place()
        self._rows = []
        for section in sections:
            self._rows.append((section, None))
            if len(section.figures) > 1:
                self._rows += [(section, figure) for figure in section.figures]
        figures = sum(len(section.figures) for section in sections)
        self.border_title = Content("Figures")
        self.border_subtitle = Content(counted(figures, "figure"))
        self.rows_changed()
        places = list(map(_named, self._rows))
        self.cursor = places.index(here) if here in places else min(self.cursor, max(0, len(places) - 1))
        if self._rows:
            self.row_focused(self.cursor)

    def _place(self) -> tuple[str, str] | None:
        return _named(self._rows[self.cursor]) if self.cursor < len(self._rows) else None

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def row_line(self, row: int, width: int) -> Line:
        section, figure = self._rows[row]
        if figure is None:
            return Line(width).add(f" {section.title}", self.part("figure-index--section"))
        return Line(width).add(f"   {plain_text(figure.title, limit=120)}", self.part("row-list--row"))

    def row_focused(self, row: int) -> None:
        self._tell(row, opened=False)

    def row_activated(self, row: int) -> None:
        self._tell(row, opened=True)

    def turn(self, figures: int) -> None:
        """Go to another figure, as many rows on or back."""
        self.cursor = max(0, min(self.cursor + figures, self.row_count - 1))

    def _tell(self, row: int, *, opened: bool) -> None:
        section, figure = self._rows[row]
        self.post_message(self.Chosen(section, figure or section.figures[0], opened))


def _named(row: tuple[Section, Figure | None]) -> tuple[str, str]:
    """What a row is known by when its figures are worked out anew."""
    section, figure = row
    return section.name, figure.title if figure is not None else ""
