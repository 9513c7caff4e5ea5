"""The light list of completions that stands over the action bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.message import Message

from webbench.core.dialects.dialect import Completion
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

HEIGHT = 8


class CompletionList(RowList, can_focus=False):
    """Completions, one chosen; never takes the focus from the text field."""

    DEFAULT_CSS = """
    CompletionList {
        overlay: screen;
        constrain: inside inside;
        width: 1fr;
        height: auto;
        max-height: 10;
        display: none;
        background: $panel;
        border: round $border;
        &.-open { display: block; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = set()
    empty_text = "Nothing to complete."

    @dataclass
    class Chosen(Message):
        """A click on a completion."""

        completion: Completion

    completions: Sequence[Completion] = ()

    @property
    def row_count(self) -> int:
        return len(self.completions)

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    @property
    def current(self) -> Completion | None:
        return self.completions[self.cursor] if self.is_open and self.completions else None

    def show(self, completions: Sequence[Completion]) -> None:
        """Open on these, or close where there are none."""
        self.completions = completions
        height = min(len(completions), HEIGHT) + 2
        self.set_class(bool(completions), "-open")
        self.styles.height = height
        self.styles.offset = (0, -height)
        self.cursor = 0
        self.scroll_to(y=0, animate=False)
        self.rows_changed()

    def close(self) -> None:
        self.show(())

    def row_line(self, row: int, width: int) -> Line:
        completion = self.completions[row]
        line = Line(width).add(" ").add(plain_text(completion.text.strip(), limit=120), limit=width // 2)
        return line.add("  ").add(plain_text(completion.label, limit=160), self.part("row-list--muted"))

    def row_clicked(self, row: int, column: int) -> None:
        self.post_message(self.Chosen(self.completions[row]))
