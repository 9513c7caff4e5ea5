"""Labelled text, wrapped and scrolled: details of a step, a message, a task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Any, ClassVar

from webbench.core.text.plain_text import display_width, plain_clip, plain_text
from webbench.tui.widgets.lines.line import Line, wrap
from webbench.tui.widgets.lists.row_list import RowList

TEXT_LIMIT = 20_000
MOST_LINES = 400
SHORTEST_LABEL = 9
"""Cells that labels may take however narrow it is."""


USUAL_WIDTH = 76
"""Cells to wrap for before there is a width: a height that follows from it is about right at once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`part` is one of text, muted, bad, good, strong; `quotable`: these are words of what is read."""

    label: str
    text: str
    part: str = "text"
    quotable: bool = True


class TextRows(RowList):
    """Set `entries`; labels stand in a column of their own. Arrows scroll, there is nothing to choose."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"text-rows--{name}" for name in ("label", "muted", "bad", "good", "strong")
    }

    DEFAULT_CSS = """
    TextRows {
        & > .text-rows--label { color: $text-secondary; }
        & > .text-rows--muted { color: $foreground-muted; }
        & > .text-rows--bad { color: $text-error; }
        & > .text-rows--good { color: $text-success; }
        & > .text-rows--strong { color: $foreground; text-style: bold; }
        & > .row-list--cursor { color: $foreground; background: $surface; text-style: none; }
        & > .row-list--cursor-blurred { background: $surface; }
        & > .row-list--hover { background: $surface; }
    }
    """

    def __init__(self, entries: Iterable[Entry] = (), **names: Any) -> None:
        super().__init__(**names)
        self._entries: tuple[Entry, ...] = tuple(entries)
        self._lines: list[tuple[str, str, str, bool]] = []
        self._wrapped_at = 0

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @entries.setter
    def entries(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entries)
        self.scroll_to(y=0, animate=False)
        self._wrap()

    @property
    def row_count(self) -> int:
        return len(self._lines)

    def on_mount(self) -> None:
        self._wrap()

    def on_resize(self) -> None:
        self._wrap_anew()

    def watch_show_vertical_scrollbar(self) -> None:
        """The bar takes room from lines that were wrapped before they turned out to be too many."""
        self._wrap_anew()

    def _wrap_anew(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap()

    def _wrap(self) -> None:
        self._wrapped_at = self.scrollable_content_region.width or USUAL_WIDTH
        most = max(SHORTEST_LABEL, self._wrapped_at // 3)
        labels = [plain_clip(entry.label, most) for entry in self._entries]
        column = max(map(display_width, labels), default=0)
        self._lines = []
        for entry, label in zip(self._entries, labels, strict=True):
            width = max(8, self._wrapped_at - (column + 3 if label else 2))
            text = plain_text(entry.text, limit=TEXT_LIMIT, newlines="keep")
            lines = [line for part in text.split("\n") for line in wrap(part, width, MOST_LINES) or [""]]
            below = " " * column if label else ""
            first = label + below[display_width(label) :]
            rows = enumerate(lines[:MOST_LINES])
            self._lines += [
                (below if number else first, line, entry.part, entry.quotable) for number, line in rows
            ]
        self.cursor = 0
        self.rows_changed()

    def row_line(self, row: int, width: int) -> Line:
        label, text, part, _ = self._lines[row]
        line = Line(width).add(" ")
        if label:
            line.add(f"{label}  ", self.part("text-rows--label"))
        style = self.part("row-list--row" if part == "text" else f"text-rows--{part}")
        return line.add(text, style)

    def quotable(self) -> str:
        """The first entry from the top that can be quoted: there is no cursor."""
        below = list(dropwhile(lambda line: not line[3], self._lines[round(self.scroll_y) :]))
        rest = takewhile(lambda line: not line[0].strip() and line[3], below[1:])
        return " ".join(text for _, text, _, _ in [*below[:1], *rest])

    def action_move(self, rows: int) -> None:
        """There is nothing to choose: arrows scroll."""
        self.scroll_relative(y=rows, animate=False)

    def action_first(self) -> None:
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        self.scroll_end(animate=False)
