"""The keys of where you are, by widget and screen, in the order in which they are tried."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from webbench.core.dialects.dialect import Dialect
from webbench.tui.commands import bindings


class HelpScreen(ModalScreen[None]):
    """Help of the focused widget first, then of its screen, then what works everywhere."""

    CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 84; max-width: 94%; height: auto; max-height: 90%; padding: 1 2;
        border: round $primary; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("help")]

    def __init__(
        self, groups: list[tuple[str, list[tuple[str, str]]]], dialect: Dialect | None = None
    ) -> None:
        super().__init__()
        self.groups = groups
        self.dialect = dialect

    def compose(self) -> ComposeResult:
        with VerticalScroll() as scroll:
            scroll.border_title = "Help"
            scroll.border_subtitle = "Esc closes"
            for title, rows in self.groups:
                yield Static(Content.styled(title, "bold"))
                yield Static(_columns(rows))
            if self.dialect is not None:
                yield Static(Content.styled(f"Actions in the dialect {self.dialect.name}", "bold"))
                yield Static(_columns([(verb.form, verb.meaning) for verb in self.dialect.verbs()]))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


def _columns(rows: list[tuple[str, str]]) -> Content:
    width = min(34, max((len(left) for left, _ in rows), default=0))
    return Content("\n".join(f"  {left:<{width}}  {right}" for left, right in rows) + "\n")
