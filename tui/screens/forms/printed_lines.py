"""What a command printed, line by line, folded to the width there is; before it ran, what it does."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from textual.content import Content

from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.output import folded
from webbench.tui.widgets.lists.text_rows import TextRows

KEPT = 5_000
"""Lines; of more the first ones go, and are counted."""


class PrintedLines(TextRows):
    """Call `begin`, then `take` lines, then `end` with what became of it."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._printed: deque[str] = deque(maxlen=KEPT)
        self._gone = 0
        self._state = ""

    def begin(self, title: str, state: str = "") -> None:
        self._printed.clear()
        self._gone = 0
        self.border_title = Content(plain_text(title, limit=100))
        self._wrap()
        self.say(state)

    def say(self, state: str) -> None:
        """How it stands, in the border."""
        self._state = state
        words = [counted(len(self._printed) + self._gone, "line")] if state and self._printed else []
        words += [f"the first {self._gone:,} are gone"] if self._gone else []
        self.border_subtitle = Content(plain_text(" · ".join(filter(None, (*words, state))), limit=200))

    def take(self, lines: Iterable[str]) -> None:
        """More lines; while something goes on the newest is in view."""
        rows_gone = 0
        for line in lines:
            if len(self._printed) == KEPT:
                self._gone += 1
                rows_gone += len(self._rows_of(self._printed[0]))
            self._printed.append(line)
            self._lines += self._rows_of(line)
        del self._lines[:rows_gone]
        self.say(self._state)
        self.rows_changed()
        if self._state:
            self._scroll(len(self._lines) - self.page_height)

    def end(self, state: str) -> None:
        """Nothing more comes: it is read from its first line on."""
        self.say(state)
        self._scroll(0)

    def _scroll(self, row: int) -> None:
        """At once: what comes next may scroll elsewhere."""
        self.scroll_to(y=max(0, row), animate=False, force=True, immediate=True)

    @property
    def text(self) -> str:
        """As it was printed."""
        return "\n".join(self._printed)

    def _wrap(self) -> None:
        self._wrapped_at = self.scrollable_content_region.width
        self._lines = [row for line in self._printed for row in self._rows_of(line)]
        self.cursor = 0
        self.rows_changed()

    def _rows_of(self, line: str) -> list[tuple[str, str, str, bool]]:
        room = max(8, self._wrapped_at - 2)
        return [("", row, "text", True) for row in folded(plain_text(line, limit=len(line)), room)]
