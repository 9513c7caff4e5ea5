"""The browser's tabs in one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.observation import Tab
from webbench.core.plain_text import plain_text
from webbench.tui.widgets.component_style import component_style
from webbench.tui.widgets.line import Line, shorten


class TabsBar(Widget):
    """Set `tabs`; hidden while there is only one. A click asks for that tab."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs-bar--active", "tabs-bar--other"}

    DEFAULT_CSS = """
    TabsBar {
        height: 1;
        background: $panel;
        display: none;
        &.-several { display: block; }
        & > .tabs-bar--active { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .tabs-bar--other { color: $foreground-muted; }
    }
    """

    @dataclass
    class TabChosen(Message):
        bar: TabsBar
        index: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._tabs: tuple[Tab, ...] = ()
        self._ends: list[int] = []

    @property
    def tabs(self) -> tuple[Tab, ...]:
        return self._tabs

    @tabs.setter
    def tabs(self, tabs: Iterable[Tab]) -> None:
        self._tabs = tuple(tabs)
        self.set_class(len(self._tabs) > 1, "-several")
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        width = self.size.width
        line = Line(width)
        self._ends = []
        each = max(8, width // max(1, len(self._tabs)) - 2)
        for tab in self._tabs:
            title = plain_text(tab.title or tab.url or "new tab", limit=120)
            text = f" {tab.index} {shorten(title, min(each, 32) - cell_len(str(tab.index)) - 3)} "
            line.add(text, component_style(self, f"tabs-bar--{'active' if tab.active else 'other'}")).add(" ")
            self._ends.append(width - line.room)
        return line.strip(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        for tab, end in zip(self._tabs, self._ends, strict=False):
            if event.x < end:
                self.post_message(self.TabChosen(self, tab.index))
                return
