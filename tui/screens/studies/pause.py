"""A break: the clock stands still, and nothing of the page is to be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.lines.clock import clock_text
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.empty_state import EmptyState


class BreakScreen(Screen[None]):
    """Covers everything until the annotator goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("break")]

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def compose(self) -> ComposeResult:
        yield EmptyState(
            "Break",
            f"The clock stands at {clock_text(self.seconds)}. The page is hidden until you go on.",
            f"{shown_key(self.app, 'break.go_on')} goes on",
        )
        yield KeyFooter()
