"""The codes that answer a question, nine of them at a time with a digit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.labels.taxonomy import Code, Question
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

DIGITS = 9
TITLE_WIDTH = 26
WITH_DEFINITION = 60


class CodeList(RowList):
    """Show a question with `ask`; a digit or Enter chooses, 0 gives the digits to the next nine."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"code-list--{name}" for name in ("digit", "given", "title")}
    DEFAULT_CSS = """
    CodeList {
        & > .code-list--digit { color: $text-accent; text-style: bold; }
        & > .code-list--given { color: $text-success; text-style: bold; }
        & > .code-list--title { color: $foreground; }
    }
    """
    empty_text = "This taxonomy asks nothing here."

    @dataclass
    class CodeChosen(Message):
        question: Question
        code: Code

    class CodeFocused(Message):
        """The cursor came to rest on a code, or the list got or lost the focus."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._question: Question | None = None
        self._codes: tuple[Code, ...] = ()
        self._given: Collection[str] = ()
        self._first = 0

    def ask(self, question: Question | None, given: Collection[str], number: int, count: int) -> None:
        """Show a question with the codes given so far; it is `number` of `count` (from 1)."""
        if question != self._question and (
            question is None or self._question is None or question.name != self._question.name
        ):
            self._first = 0
            self.cursor = 0
        self._question, self._given = question, given
        self._codes = question.offered if question is not None else ()
        self.rows_changed()
        self.border_title = Content(plain_text(question.text) if question else "Codes")
        parts = [plain_text(question.name)] if question else []
        if count > 1:
            parts.append(f"question {number} of {count}")
        if question is not None and question.several:
            parts.append("several may be given")
        if self.row_count > DIGITS:
            parts.append("0: more codes")
        self.border_subtitle = Content(" · ".join(parts))

    @property
    def question(self) -> Question | None:
        """What is asked."""
        return self._question

    @property
    def code(self) -> Code | None:
        """The one under the cursor."""
        return self._codes[self.cursor] if self.cursor < self.row_count else None

    @property
    def row_count(self) -> int:
        return len(self._codes)

    def turn_digits(self) -> None:
        """Digits for the next nine, and from the last back to the first."""
        if self.row_count > DIGITS:
            self._first = self._first + DIGITS if self._first + DIGITS < self.row_count else 0
            self.cursor = self._first
            self.refresh()

    def choose(self, digit: int) -> bool:
        """The code of a digit; False where there is none."""
        row = self._first + digit - 1
        if row >= self.row_count:
            return False
        self.cursor = row
        self.row_activated(row)
        return True

    def row_line(self, row: int, width: int) -> Line:
        line = Line(width)
        code = self._codes[row]
        digit = row - self._first + 1
        given = code.name in self._given
        line.add(f" {digit} " if 1 <= digit <= DIGITS else "   ", self.part("code-list--digit"))
        style = self.part("code-list--given" if given else "code-list--title")
        line.add(f"{self.glyphs.selected if given else ' '} ", style)
        title = plain_text(code.title, limit=80)
        if width < WITH_DEFINITION:
            return line.add(title, style)
        line.add(f"{title:<{TITLE_WIDTH}}", style, limit=TITLE_WIDTH)
        group = f"{code.group}: " if code.group else ""
        return line.add(f" {plain_text(group + code.definition, limit=400)}", self.part("row-list--muted"))

    def row_focused(self, row: int) -> None:
        if self.has_focus:
            self.post_message(self.CodeFocused())

    def on_focus(self) -> None:
        super().on_focus()
        self.post_message(self.CodeFocused())

    def on_blur(self) -> None:
        super().on_blur()
        self.post_message(self.CodeFocused())

    def row_activated(self, row: int) -> None:
        if self._question is not None:
            self.post_message(self.CodeChosen(self._question, self._codes[row]))
