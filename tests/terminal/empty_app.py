"""The smallest Textual app that paints something: what the first paint is measured against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Footer, Static


class EmptyApp(App[None]):
    """One line of text and a footer."""

    def compose(self) -> ComposeResult:
        yield Static("painted")
        yield Footer()


if __name__ == "__main__":
    EmptyApp().run()
