"""Help: the keys of where you are, what the screen is for first; `/` searches it."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from webbench.core.dialects.dialect import Dialect
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.lines.line import wrap
from webbench.tui.widgets.lists.typed_query import TypedQuery

Groups = list[tuple[str, list[tuple[str, str]]]]


class HelpRows(VerticalScroll):
    """While one types after `/`, only rows with every word are shown, of whatever group."""

    def __init__(self, groups: Groups) -> None:
        super().__init__()
        self._groups = groups
        self._query = TypedQuery()

    def compose(self) -> ComposeResult:
        yield Static(id="rows", markup=False)

    def on_mount(self) -> None:
        self.border_title = "Help"
        self.focus()

    def on_resize(self) -> None:
        self._show()

    def search(self) -> None:
        self._query.open()
        self._show()

    def _show(self) -> None:
        """The rows that the search finds; all of them where nothing is searched for."""
        words = self._query.text.casefold().split()
        room = self.scrollable_content_region.width
        parts: list[Content] = []
        for title, rows in self._groups:
            found = [row for row in rows if all(word in " ".join(row).casefold() for word in words)]
            if found:
                parts += [Content.styled(title, "bold"), _columns(found, room)]
        shown = parts or [Content("Nothing here is called so.")]
        self.query_one("#rows", Static).update(Content("\n").join(shown))
        told = f"{shown_key(self.app, 'help.search')} searches"
        if self._query.typing or words:
            told = f"/{plain_text(self._query.text, limit=40)}{'▏' if self._query.typing else ''}"
        self.border_subtitle = Content(f"{told} · Esc closes")
        self.scroll_home(animate=False)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Letters belong to the search while it is typed."""
        return bool(self._query.typing and character and character.isprintable())

    def on_key(self, event: events.Key) -> None:
        if self._query.typing and self._query.key(event) != "ignored":
            event.stop()
            event.prevent_default()
            self._show()


class HelpScreen(ModalScreen[None]):
    """Help of the screen first, then of its parts, then what works everywhere; moving comes last."""

    CSS = """
    HelpScreen { align: center middle; }
    HelpRows {
        width: 84; max-width: 94%; height: auto; max-height: 90%; padding: 1 2;
        border: round $primary; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("help")]

    def __init__(self, groups: Groups, dialect: Dialect | None = None) -> None:
        super().__init__()
        self.groups = list(groups)
        if dialect is not None:
            rows = [(verb.form, verb.meaning) for verb in dialect.verbs()]
            self.groups.append((f"Actions in the dialect {dialect.name}", rows))

    def compose(self) -> ComposeResult:
        yield HelpRows(self.groups)

    def action_search(self) -> None:
        self.query_one(HelpRows).search()

    def action_scroll(self, rows: int) -> None:
        self.query_one(HelpRows).scroll_relative(y=rows, animate=False)


def _columns(rows: list[tuple[str, str]], room: int) -> Content:
    """Each text beside its key, in lines that fit."""
    width = min(34, max((len(left) for left, _ in rows), default=0))
    lines = []
    for left, right in rows:
        parts = wrap(right, max(20, room - width - 4)) or [""]
        lines += [f"  {left:<{width}}  {parts[0]}", *(f"  {'':<{width}}  {part}" for part in parts[1:])]
    return Content("\n".join(lines) + "\n")
