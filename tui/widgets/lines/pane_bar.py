"""The stepper's panes as tabs, where only one of them has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.message import Message

from webbench.tui.widgets.lines.line import shorten
from webbench.tui.widgets.lines.tab_titles import Title, TitleRow

SHORTEST = 3
AROUND = 3
"""Cells that a title takes besides its own."""
BETWEEN = 1
"""The same where there is little room."""


class PaneBar(TitleRow):
    """One line: each pane's key and title. A click asks for that pane."""

    @dataclass
    class PaneChosen(Message):
        bar: PaneBar
        name: str

    def __init__(self, panes: Sequence[tuple[str, str]], **names: Any) -> None:
        """Takes (name, title) of each pane, in the order in which they stand."""
        super().__init__(**names)
        self._panes = tuple(panes)
        self._active = self._panes[0][0]

    @property
    def panes(self) -> Sequence[tuple[str, str]]:
        """(name, title) of each."""
        return self._panes

    @panes.setter
    def panes(self, panes: Sequence[tuple[str, str]]) -> None:
        self._panes = tuple(panes)
        self.refresh()

    @property
    def active(self) -> str:
        return self._active

    @active.setter
    def active(self, name: str) -> None:
        self._active = name
        self.refresh()

    def titles(self, width: int) -> Sequence[Title]:
        """All of them; where the row has no room they move together, then the long ones are cut.

        The active one is never cut.
        """
        longest = max(cell_len(title) for _, title in self._panes)
        tight = self._taken(longest, AROUND) > width
        while tight and longest > SHORTEST and self._taken(longest, BETWEEN) > width:
            longest -= 1
        return [
            Title(title if name == self._active else shorten(title, longest), name == self._active, tight)
            for name, title in self._panes
        ]

    def _taken(self, longest: int, around: int) -> int:
        """Cells that the row needs when no title but the active one is longer than this."""
        lengths = [
            cell_len(title) if name == self._active else min(cell_len(title), longest)
            for name, title in self._panes
        ]
        return sum(lengths) + around * len(lengths)

    def choose(self, position: int) -> None:
        self.post_message(self.PaneChosen(self, self._panes[position][0]))
