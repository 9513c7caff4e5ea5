"""Attempts at a task as aligned rows: a column for each actor, a mark for each row, flags at steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from webbench.core.analysis.compare.comparison import Comparison
from webbench.core.analysis.compare.row_marks import FLAG_WORDS, Flag, MarkedRow, RowKind, extra_rows
from webbench.core.analysis.compare.sentences import chosen_words, score_words
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line, shorten
from webbench.tui.widgets.lists.row_list import RowList

MARK_WORDS: dict[RowKind, str] = {
    "same": "",
    "parts": "they part",
    "differs": "",
    "aside": "aside",
    "meets": "same again",
}
WORDS_FROM = 120
"""Columns from which marks and flags of a row are told in words beside their signs."""
LEAST_CELLS = 24
"""Narrowest column of an actor; those that find no room are gone to by choosing them."""
PARTS = ("same", "differs", "aside", "parts", "meets", "bad", "flag", "head", "head-chosen")


def row_words(found: Comparison, row: int) -> str:
    """What a row's sign means."""
    marked = found.marks[row]
    alone = found.alignment.rows[row].alone
    words = {
        "same": "all do the same",
        "parts": "they part here",
        "differs": "they differ",
        "aside": "only one needs it, nobody parts" if alone else "each reads on in its own way, nobody parts",
        "meets": "all do the same again",
    }[marked.kind]
    return f"{words}, with an effect for some only" if marked.unequal else words


class CompareRows(RowList, inherit_bindings=False):
    """Set `comparison`; `actor` is the chosen column, `only` leaves the extra steps of one actor.

    Enter and the arrows to the sides are left to the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [one for one in bindings("rows") if one.id != "rows.activate"]

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"compare-rows--{name}" for name in PARTS}

    DEFAULT_CSS = """
    CompareRows {
        & > .compare-rows--same { color: $foreground-muted; }
        & > .compare-rows--differs { color: $text-warning; }
        & > .compare-rows--aside { color: $foreground-muted; }
        & > .compare-rows--parts { color: $text-error; text-style: bold; }
        & > .compare-rows--meets { color: $text-success; text-style: bold; }
        & > .compare-rows--bad { color: $text-error; text-style: bold; }
        & > .compare-rows--flag { color: $text-accent; }
        & > .compare-rows--head { color: $foreground-muted; background: $panel; text-style: bold; }
        & > .compare-rows--head-chosen { color: $text-accent; background: $panel; text-style: bold; }
    }
    """

    fixed_lines = 1
    empty_text = "Reading and aligning the attempts…"

    @dataclass
    class RowFocused(Message):
        """The cursor stands on this row of the alignment (from 0)."""

        rows: CompareRows
        row: int

    @dataclass
    class RowActivated(Message):
        rows: CompareRows
        row: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._found: Comparison | None = None
        self._shown: Sequence[int] = ()
        self._only: int | None = None
        self._actor = 0

    def on_mount(self) -> None:
        self._show_titles()

    def on_resize(self) -> None:
        self._show_titles()

    # Data

    @property
    def comparison(self) -> Comparison | None:
        return self._found

    @comparison.setter
    def comparison(self, found: Comparison) -> None:
        self._found = found
        self.only = None

    def relabelled(self, found: Comparison) -> None:
        """The same comparison with other labels: the cursor stays."""
        self._found = found
        self.refresh()

    @property
    def actor(self) -> int:
        """The chosen column."""
        return self._actor

    @actor.setter
    def actor(self, actor: int) -> None:
        self._actor = actor
        self._show_titles()
        self.refresh()

    @property
    def only(self) -> int | None:
        """The actor whose extra steps alone are shown, None for all rows."""
        return self._only

    @only.setter
    def only(self, actor: int | None) -> None:
        here = self.row
        found = self._found
        self._only = actor
        if found is None:
            self._shown = ()
        elif actor is None:
            self._shown = range(len(found.marks))
        else:
            self._shown = extra_rows(found.alignment, actor)
        self.rows_changed()
        self.go_to(here if here is not None else 0)
        self._show_titles()

    @property
    def row(self) -> int | None:
        """The row of the alignment under the cursor."""
        return self._shown[self.cursor] if 0 <= self.cursor < len(self._shown) else None

    def go_to(self, row: int) -> None:
        """Put the cursor on a row of the alignment, or on the first shown one after it."""
        before = self.cursor
        self.cursor = next((at for at, one in enumerate(self._shown) if one >= row), len(self._shown) - 1)
        if self.cursor == before and self._shown and self.is_mounted:
            self.row_focused(self.cursor)

    # Looks

    @property
    def row_count(self) -> int:
        return len(self._shown)

    def _show_titles(self) -> None:
        found, row = self._found, self.row
        here = "" if found is None or row is None else f" · row {row + 1}: {row_words(found, row)}"
        self.border_title = Content(f"Steps side by side{here}")
        if found is None:
            self.border_subtitle = Content("")
        elif self._only is None:
            words = [counted(len(found.marks), "row")]
            words.append(f"{sum(row.same for row in found.alignment.rows)} the same for all")
            columns = self._columns(self.size.width)[1]
            if len(columns) < len(found.attempts):
                words.append(f"actors {columns[0][0] + 1} to {columns[-1][0] + 1} of {len(found.attempts)}")
            self.border_subtitle = Content(" · ".join(words))
        else:
            name = plain_text(found.attempts[self._only].name, limit=40)
            told = f"only what {name} alone does: {len(self._shown)} of {counted(len(found.marks), 'row')}"
            self.border_subtitle = Content(told)

    def _columns(self, width: int) -> tuple[int, list[tuple[int, int]]]:
        """Cells of the mark column, and (actor, cells) of those that find room around the chosen one."""
        actors = len(self._found.attempts) if self._found else 1
        mark = 13 if width >= WORDS_FROM else 2
        room = max(LEAST_CELLS, width - 5 - mark)
        shown = max(1, min(actors, room // LEAST_CELLS))
        first = max(0, min(self._actor - shown // 2, actors - shown))
        return mark, [(first + at, room // shown + (at < room % shown)) for at in range(shown)]

    def fixed_line(self, line: int, width: int) -> Strip:
        head = Line(width)
        found = self._found
        style = self.part("compare-rows--head")
        if found is None:
            return head.strip(style)
        mark, columns = self._columns(width)
        head.add(f"{'row':>4} {'':{mark}}", style)
        for actor, cells in columns:
            attempt, chosen = found.attempts[actor], actor == self._actor
            score = f"  {score_words(attempt)}"
            sign = f"   {self.glyphs.bullet if chosen else ' '} "
            name = shorten(plain_text(attempt.name, limit=80), max(8, cells - len(score) - len(sign) - 1))
            text = f"{sign}{name}{score}"
            part = self.part("compare-rows--head-chosen") if chosen else style
            head.add(f"{shorten(text, cells - 1)}".ljust(cells), part, limit=cells)
        return head.strip(style)

    def row_line(self, row: int, width: int) -> Line:
        found = self._found
        line = Line(width)
        if found is None:
            return line
        at = self._shown[row]
        mark, columns = self._columns(width)
        marked = found.marks[at]
        line.add(f"{at + 1:>4} ", self.part("row-list--muted"))
        self._add_mark(line, marked, mark)
        for actor, cells in columns:
            self._add_cell(line, at, actor, cells)
        return line

    def _add_mark(self, line: Line, marked: MarkedRow, cells: int) -> None:
        glyphs = self.glyphs
        signs = {
            "same": glyphs.same,
            "differs": glyphs.differs,
            "aside": glyphs.detour,
            "parts": glyphs.parts,
            "meets": glyphs.meets,
        }
        sign, words = signs[marked.kind], MARK_WORDS[marked.kind]
        part = self.part(f"compare-rows--{marked.kind}")
        if marked.unequal:
            sign, words, part = glyphs.unequal, "not for all", self.part("compare-rows--bad")
        text = f"{sign} {words}" if cells > 2 else sign
        line.add(text.ljust(cells), part, limit=cells)

    def _add_cell(self, line: Line, at: int, actor: int, cells: int) -> None:
        assert self._found is not None
        place = self._found.alignment.rows[at].places[actor]
        cell = Line(cells - 1)
        if place is None:
            cell.add("    " + self.glyphs.other, self.part("row-list--muted"))
        else:
            attempt = self._found.attempts[actor]
            flags = self._found.marks[at].flags[actor]
            cell.add(f"{attempt.steps[place]:>4} ", self.part("row-list--muted"))
            self._add_flags(cell, flags, cells)
            for label, code in attempt.said_of(attempt.steps[place]):
                cell.add(
                    f"{self.glyphs.label} {plain_text(chosen_words(label, code), limit=40)} ",
                    self.part("compare-rows--bad"),
                )
            cell.add(plain_text(attempt.done[place].words, limit=300), self.part(self._step_part(at)))
        for segment in cell.strip():
            line.add(segment.text, segment.style or self.part("row-list--row"))
        line.add(" ")

    def _step_part(self, at: int) -> str:
        assert self._found is not None
        return "row-list--muted" if self._found.marks[at].kind == "same" else "row-list--row"

    def _add_flags(self, cell: Line, flags: Sequence[Flag], cells: int) -> None:
        signs = {
            "invalid": self.glyphs.failed,
            "loop": self.glyphs.loop,
            "oscillation": self.glyphs.oscillation,
            "detour": self.glyphs.detour,
        }
        for flag in flags:
            words = f" {FLAG_WORDS[flag]}" if cells >= 36 or flag == flags[0] else ""
            part = "compare-rows--bad" if flag == "invalid" else "compare-rows--flag"
            cell.add(f"{signs[flag]}{words} ", self.part(part))

    # Keys

    def row_focused(self, row: int) -> None:
        self._show_titles()
        self.post_message(self.RowFocused(self, self._shown[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.RowActivated(self, self._shown[row]))

    def row_clicked(self, row: int, column: int) -> None:
        """A click in a column chooses its actor."""
        mark, columns = self._columns(self.content_region.width)
        left = column - 5 - mark
        for actor, cells in columns:
            if 0 <= left < cells:
                self.actor = actor
                self.post_message(self.RowFocused(self, self._shown[self.cursor]))
            left -= cells
