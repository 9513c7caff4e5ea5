"""The stepper's panes as tabs, where only one of them has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from webbench.tui.widgets.component_style import component_style
from webbench.tui.widgets.line import Line


class PaneBar(Widget):
    """One line: each pane's key and title. A click asks for that pane."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"pane-bar--active", "pane-bar--other"}

    DEFAULT_CSS = """
    PaneBar {
        height: 1;
        display: none;
        & > .pane-bar--active { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .pane-bar--other { color: $foreground-muted; }
    }
    """

    @dataclass
    class PaneChosen(Message):
        bar: PaneBar
        name: str

    def __init__(self, panes: Sequence[tuple[str, str]], **names: Any) -> None:
        """Takes (name, title) of each pane, in the order in which they stand."""
        super().__init__(**names)
        self._panes = tuple(panes)
        self._active = self._panes[0][0]
        self._ends: list[int] = []

    @property
    def active(self) -> str:
        return self._active

    @active.setter
    def active(self, name: str) -> None:
        self._active = name
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        width = self.size.width
        line = Line(width)
        self._ends = []
        for name, title in self._panes:
            style = component_style(self, f"pane-bar--{'active' if name == self._active else 'other'}")
            line.add(f" {title} ", style).add(" ")
            self._ends.append(width - line.room)
        return line.strip(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        for (name, _), end in zip(self._panes, self._ends, strict=True):
            if event.x < end:
                self.post_message(self.PaneChosen(self, name))
                return
