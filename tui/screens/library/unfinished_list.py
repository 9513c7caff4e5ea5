"""Episodes that were begun and have no end, the latest first; one key goes on with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.score.explanation import value_words
from webbench.core.store.index.summaries import UnfinishedEpisode, UnfinishedEpisodes
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import shown_key
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

MOST_ROWS = 3
WITH_TIME = 90
"""Columns from which there is room for when the last step was."""


class UnfinishedList(RowList):
    """Set `found`; it takes no room while there is nothing to go on with."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"unfinished-list--task"}
    DEFAULT_CSS = """
    UnfinishedList {
        height: auto;
        display: none;
        & > .unfinished-list--task { color: $text-primary; text-style: bold; }
    }
    """

    @dataclass
    class GoingOn(Message):
        """Enter on an episode, or a double click."""

        episode: UnfinishedEpisode

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._found = UnfinishedEpisodes()

    @property
    def found(self) -> UnfinishedEpisodes:
        return self._found

    @found.setter
    def found(self, found: UnfinishedEpisodes) -> None:
        under_cursor = self.episode
        self._found = found
        count = len(found.episodes)
        names = [one.episode for one in found.episodes]
        stays = under_cursor is not None and under_cursor.episode in names
        self.cursor = names.index(under_cursor.episode) if under_cursor is not None and stays else 0
        self.display = bool(count)
        self.styles.height = min(MOST_ROWS, count) + 2
        key = shown_key(self.app, "library.go_on")
        self.border_title = Content(f"{counted(count, 'unfinished episode')} · {key} goes on")
        elsewhere = [
            f"{number:,} more of {whose}"
            for number, whose in ((found.of_batches, "batches"), (found.of_studies, "studies"))
            if number
        ]
        self.border_subtitle = Content(", ".join(elsewhere))
        self.rows_changed()

    @property
    def episode(self) -> UnfinishedEpisode | None:
        """The one under the cursor."""
        return self._found.episodes[self.cursor] if self.cursor < self.row_count else None

    @property
    def row_count(self) -> int:
        return len(self._found.episodes)

    def row_line(self, row: int, width: int) -> Line:
        one = self._found.episodes[row]
        muted = self.part("row-list--muted")
        line = Line(width)
        if width >= WITH_TIME:
            line.right(f" {plain_text((one.at or one.started)[:16].replace('T', ' '))} ", muted)
        line.add(
            f"{plain_text(f'{one.benchmark} {one.task}', limit=60)}  ", self.part("unfinished-list--task")
        )
        if one.problem:
            return line.add(plain_text(one.problem, limit=200), muted)
        line.add(f"{progress_words(one)}  ").add(f"{plain_text(one.actor, limit=30)}  ", muted)
        return line.add(plain_text(one.intent, limit=300), muted)

    def row_activated(self, row: int) -> None:
        self.post_message(self.GoingOn(self._found.episodes[row]))


def progress_words(one: UnfinishedEpisode) -> str:
    """ "3 of 40 actions, 0.500 so far"."""
    actions = (
        f"{one.actions} of {one.step_limit} actions" if one.step_limit else counted(one.actions, "action")
    )
    if one.score is None:
        return actions
    score = value_words(one.score.value, one.score.status)
    return f"{actions}, {score} so far"
