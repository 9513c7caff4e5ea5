"""An application around the widget under test, and what it shows as text."""

from __future__ import annotations

import unicodedata
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from webbench.themes import THEMES
from webbench.tui.widgets.lines.glyphs import UNICODE, Glyphs


class Host(App[None]):
    """Shows widgets under each other and keeps the messages of the widgets in `heard`."""

    def __init__(self, *widgets: Widget, theme: str = THEMES[0].name, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.widgets = widgets
        self.glyphs = glyphs
        self.heard: list[Message] = []
        self.quit_called = False
        for ours in THEMES:
            self.register_theme(ours)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield from self.widgets

    async def _on_message(self, message: Message) -> None:
        if type(message).__module__.startswith("webbench."):
            self.heard.append(message)
        await super()._on_message(message)

    async def action_quit(self) -> None:
        self.quit_called = True

    def heard_of(self, kind: type[Message]) -> list[Any]:
        return [message for message in self.heard if isinstance(message, kind)]


def lines(app: App[Any]) -> list[str]:
    """What the screen shows, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip if not segment.control) for strip in strips]


def text(app: App[Any]) -> str:
    return "\n".join(lines(app))


def dangerous(shown: str) -> set[str]:
    """Characters that must never reach a terminal: controls, bidi overrides, lone surrogates."""
    return {
        sign
        for sign in shown
        if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")
        or sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    } - {"\n"}
