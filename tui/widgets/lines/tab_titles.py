"""Titles of tabs side by side in one line, one of them active; a click asks for another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.strip import Strip
from textual.widget import Widget

from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.line import Line


@dataclass(frozen=True, slots=True)
class Title:
    text: str
    active: bool
    tight: bool = False
    """Without room of its own around it: there would not be enough for all."""


class TitleRow(Widget):
    """What the bars of browser tabs and of panes have in common."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"title-row--active", "title-row--other"}

    DEFAULT_CSS = """
    TitleRow {
        height: 1;
        display: none;
        & > .title-row--active { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .title-row--other { color: $foreground-muted; }
    }
    """

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._ends: list[int] = []

    def titles(self, width: int) -> Sequence[Title]:
        """What stands in the row when it is `width` cells wide."""
        raise NotImplementedError

    def choose(self, position: int) -> None:
        """The title at this position was clicked."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        line = Line(width)
        self._ends = []
        for title in self.titles(width):
            style = component_style(self, f"title-row--{'active' if title.active else 'other'}")
            line.add(title.text if title.tight else f" {title.text} ", style).add(" ")
            self._ends.append(width - line.room)
        return line.strip(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        position = next((at for at, end in enumerate(self._ends) if event.x < end), None)
        if position is not None:
            self.choose(position)
