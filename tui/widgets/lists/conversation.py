"""The dialogue that a task is part of: what each side said, and what was done in between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.observation import DialogueTurn
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line, wrap
from webbench.tui.widgets.lists.row_list import RowList

LONGEST = 4_000
"""Characters of an utterance that are shown."""
MOST_LINES = 60
_SPEAKER_CELLS = 10
_INDENT = 5 + _SPEAKER_CELLS + 1
_ROOMY = 60
"""Columns from which the speaker stands beside the text instead of above it."""


class Conversation(RowList):
    """Set `turns` after each step; follows the end while the cursor is there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "conversation--instructor",
        "conversation--navigator",
        "conversation--done",
    }

    DEFAULT_CSS = """
    Conversation {
        & > .conversation--instructor { color: $text-accent; text-style: bold; }
        & > .conversation--navigator { color: $text-success; text-style: bold; }
        & > .conversation--done { color: $foreground 70%; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("conversation")]

    empty_text = "Nobody has said anything: the task is no dialogue, or it begins here."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._turns: tuple[DialogueTurn, ...] = ()
        self._rows: list[_Row] = []
        self._words_only = False

    def on_mount(self) -> None:
        self._show_titles()

    @property
    def turns(self) -> tuple[DialogueTurn, ...]:
        return self._turns

    @turns.setter
    def turns(self, turns: Iterable[DialogueTurn]) -> None:
        turns = tuple(turns)
        if turns == self._turns:
            return
        following = self.cursor >= self.row_count - 1
        self._turns = turns
        self._wrap()
        if following:
            self.cursor = max(0, self.row_count - 1)

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def on_resize(self) -> None:
        self._wrap()

    def action_toggle_actions(self) -> None:
        """Only what was said, or also what was done."""
        self._words_only = not self._words_only
        self._wrap()

    def _wrap(self) -> None:
        shown = [turn for turn in self._turns if turn.said or not self._words_only]
        width = self.scrollable_content_region.width
        self._rows = [row for turn in shown for row in _rows_of(turn, width)]
        self.rows_changed()
        self._show_titles()

    def _show_titles(self) -> None:
        self.border_title = Content("Conversation")
        said = sum(turn.said for turn in self._turns)
        words = [counted(said, "utterance")] if self._turns else []
        if self._words_only:
            words.append("no actions")
        elif len(self._turns) > said:
            words.append(counted(len(self._turns) - said, "action"))
        self.border_subtitle = Content(" · ".join(words))

    def row_line(self, row: int, width: int) -> Line:
        shown = self._rows[row]
        line = Line(width).add(shown.number, self.part("row-list--muted"))
        if shown.speaker:
            side = "navigator" if shown.speaker.startswith("navigator") else "instructor"
            line.add(shown.speaker, self.part(f"conversation--{side}"))
        return line.add(shown.text, self.part("row-list--row" if shown.said else "conversation--done"))


class LiveConversation(Conversation):
    """Of an episode under way: one can say something in it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("live_conversation")]

    class Speaking(Message):
        """The person wants to say something."""

    def action_speak(self) -> None:
        self.post_message(self.Speaking())


class _Row:
    """One line: the turn's number and speaker on its first, then text."""

    __slots__ = ("number", "said", "speaker", "text")

    def __init__(self, number: str, speaker: str, text: str, said: bool) -> None:
        self.number, self.speaker, self.text, self.said = number, speaker, text, said


def _rows_of(turn: DialogueTurn, width: int) -> list[_Row]:
    number = f"{turn.index:>4} "
    blank = " " * len(number)
    text = plain_text(f"{turn.text}  {turn.about}" if turn.about else turn.text, limit=LONGEST)
    speaker = plain_clip(turn.speaker, _SPEAKER_CELLS) if turn.said else ""
    beside = width >= _ROOMY
    room = max(10, width - (_INDENT if beside else len(number)))
    lines = wrap(text, room, MOST_LINES) or [""]
    if not beside:
        above = [_Row(number, speaker, "", True)] if speaker else []
        return above + [
            _Row(number if not above and at == 0 else blank, "", line, turn.said)
            for at, line in enumerate(lines)
        ]
    column = f"{speaker:<{_SPEAKER_CELLS}} "
    return [
        _Row(
            number if at == 0 else blank,
            column if at == 0 and speaker else "",
            line if at == 0 and speaker else f"{'':{_SPEAKER_CELLS + 1}}{line}",
            turn.said,
        )
        for at, line in enumerate(lines)
    ]
