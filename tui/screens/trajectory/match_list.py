"""Where a text was found in an episode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.analysis.recorded.search import Match
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList


class MatchList(RowList):
    """Set matches with `show`; whichever the cursor comes to is posted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"match-list--where"}

    DEFAULT_CSS = """
    MatchList { & > .match-list--where { color: $text-accent; } }
    """

    empty_text = "Press / to look for a text in actions, reasoning, replies and pages."

    @dataclass
    class MatchChosen(Message):
        matches: MatchList
        match: Match

    _matches: tuple[Match, ...] = ()
    _query = ""

    def on_mount(self) -> None:
        self.border_title = Content("Found")

    def show(self, query: str, matches: Sequence[Match], *, more: bool = False) -> None:
        """Show what was found; `more` says that the list was cut."""
        self._query, self._matches = query, tuple(matches)
        if query:
            self.empty_text = f'"{plain_text(query, limit=80)}" is nowhere in this episode.'
        steps = len({match.step for match in self._matches})
        words = f"{counted(len(self._matches), 'place')} in {counted(steps, 'step')}" if query else ""
        self.border_subtitle = Content(words + (", and more" if more else ""))
        self.border_title = Content(f"Found /{plain_text(query, limit=60)}" if query else "Found")
        self.rows_changed()
        self.cursor = 0

    @property
    def matches(self) -> tuple[Match, ...]:
        return self._matches

    @property
    def row_count(self) -> int:
        return len(self._matches)

    def row_line(self, row: int, width: int) -> Line:
        match = self._matches[row]
        line = Line(width).add(f"{match.step:>4} ", self.part("row-list--muted"))
        line.add(f"{match.where:<10} ", self.part("match-list--where"))
        excerpt = plain_text(match.excerpt, limit=400)
        at = excerpt.casefold().find(" ".join(self._query.casefold().split()))
        end = at + len(self._query)
        if at < 0:
            return line.add(excerpt)
        return line.add(excerpt[:at]).add(excerpt[at:end], self.part("row-list--match")).add(excerpt[end:])

    def row_focused(self, row: int) -> None:
        self.post_message(self.MatchChosen(self, self._matches[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.MatchChosen(self, self._matches[row]))
