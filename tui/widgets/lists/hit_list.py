"""Where a text was found in many episodes: each episode, and its hits below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.analysis.find.find import Found, FoundEpisode, Hit
from webbench.core.analysis.find.index_words import step_words
from webbench.core.text.no_value import or_blank
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line, shorten_middle
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.run_tables import episode_status

STEPS_WIDE, PLACE_WIDE = 12, 10
AFTER = 12
"""Cells that are kept for what follows the place."""
INTENT_LEAST = 20
"""Cells that are worth the beginning of a task's intent."""


@dataclass(frozen=True, slots=True)
class Row:
    """A hit; without one its episode, or how many of its hits are left out."""

    found: FoundEpisode
    hit: Hit | None = None
    left_out: int = 0


class HitList(RowList):
    """Set what was found with `show`; Enter on a row is posted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"hit-list--episode", "hit-list--where"}

    DEFAULT_CSS = """
    HitList {
        & > .hit-list--episode { color: $text-accent; text-style: bold; }
        & > .hit-list--where { color: $text-accent; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("hits")]

    empty_text = ""

    @dataclass
    class Chosen(Message):
        """Enter, or a double click: the episode is asked for, at a hit if there is one."""

        row: Row

    _rows: tuple[Row, ...] = ()
    found: Found | None = None

    def show(self, text: str, found: Found) -> None:
        """Show what was found of a text."""
        self.found, self._rows = found, tuple(_rows(found))
        self.empty_text = f"{plain_text(text, limit=200)} is in no episode that was looked through."
        left_out = f", {counted(found.left_out, 'episode')} not listed" if found.left_out else ""
        of_episodes = f"{counted(found.texts, 'text')} in {counted(found.matching, 'episode')}{left_out}"
        self.border_subtitle = Content(of_episodes)
        self.rows_changed()
        self.cursor = 1 if self._rows else 0
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    @property
    def chosen(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def row_line(self, row: int, width: int) -> Line:
        one, line = self._rows[row], Line(width)
        if one.hit is not None:
            return self._hit_line(line, one.hit)
        if one.left_out:
            told = f"and {counted(one.left_out, 'more hit')} of this episode"
            return line.add(" " * (STEPS_WIDE + PLACE_WIDE) + told, self.part("row-list--muted"))
        episode = one.found.episode
        result = or_blank(episode.value) if episode.value is not None else episode_status(episode)
        task = shorten_middle(plain_text(f"{episode.benchmark}:{episode.task}"), width // 2)
        line.add(task, self.part("hit-list--episode"))
        line.add(plain_text(f"  {episode.actor}  {result}"))
        if line.room > INTENT_LEAST:
            line.add(plain_text(f"  {episode.intent}", limit=400), self.part("row-list--muted"))
        return line

    def _hit_line(self, line: Line, hit: Hit) -> Line:
        line.add(f"{step_words(hit):>{STEPS_WIDE - 1}} ", self.part("row-list--muted"))
        line.add(f"{hit.where:<{PLACE_WIDE}}", self.part("hit-list--where"))
        end = hit.start + hit.length
        before, found, after = hit.excerpt[: hit.start], hit.excerpt[hit.start : end], hit.excerpt[end:]
        room = max(8, line.room - len(found) - AFTER)
        before = f"…{before[1 - room :]}" if len(before) > room else before
        line.add(plain_text(before)).add(plain_text(found), self.part("row-list--match"))
        return line.add(plain_text(after))

    def row_activated(self, row: int) -> None:
        self.post_message(self.Chosen(self._rows[row]))

    def next_episode(self, ways: int) -> None:
        """To the first hit of the next episode, or of the one before."""
        heads = [number for number, row in enumerate(self._rows) if row.hit is None and not row.left_out]
        own = max((at for at, head in enumerate(heads) if head <= self.cursor), default=0)
        if 0 <= own + ways < len(heads):
            self.cursor = heads[own + ways] + 1


def _rows(found: Found) -> Iterator[Row]:
    for one in found.episodes:
        yield Row(one)
        for hit in one.hits:
            yield Row(one, hit)
        if one.left_out:
            yield Row(one, left_out=one.left_out)
