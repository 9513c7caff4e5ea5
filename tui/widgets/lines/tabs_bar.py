"""The browser's tabs in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.message import Message

from webbench.core.observation import Tab
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.line import shorten
from webbench.tui.widgets.lines.tab_titles import Title, TitleRow


class TabsBar(TitleRow):
    """Set `tabs`; hidden while there is only one. A click asks for that tab."""

    DEFAULT_CSS = """
    TabsBar {
        background: $panel;
        &.-several { display: block; }
    }
    """

    @dataclass
    class TabChosen(Message):
        bar: TabsBar
        index: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._tabs: tuple[Tab, ...] = ()

    @property
    def tabs(self) -> tuple[Tab, ...]:
        return self._tabs

    @tabs.setter
    def tabs(self, tabs: Iterable[Tab]) -> None:
        self._tabs = tuple(tabs)
        self.set_class(len(self._tabs) > 1, "-several")
        self.refresh()

    def titles(self, width: int) -> Sequence[Title]:
        each = min(32, max(8, width // max(1, len(self._tabs)) - 2))
        return [Title(_title(tab, each), tab.active) for tab in self._tabs]

    def choose(self, position: int) -> None:
        self.post_message(self.TabChosen(self, self._tabs[position].index))


def _title(tab: Tab, width: int) -> str:
    title = plain_text(tab.title or tab.url or "new tab", limit=120)
    return f"{tab.index} {shorten(title, width - cell_len(str(tab.index)) - 3)}"
