"""The stepper's panes as tabs, where only one of them has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual.message import Message

from webbench.tui.widgets.title_row import Title, TitleRow


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
    def active(self) -> str:
        return self._active

    @active.setter
    def active(self, name: str) -> None:
        self._active = name
        self.refresh()

    def titles(self, width: int) -> Sequence[Title]:  # noqa: ARG002
        return [Title(title, name == self._active) for name, title in self._panes]

    def choose(self, position: int) -> None:
        self.post_message(self.PaneChosen(self, self._panes[position][0]))
