"""The score that explains itself: every check with what was found, what was wanted, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.engine.wire.messages import FiguresCounted
from webbench.core.score.explanation import value_words
from webbench.core.score.score import Score, Status
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.score.check_rows import ScoreRow, ScoreRows, keyed, results
from webbench.tui.widgets.score.figure_words import figure_rows

PARTS = (
    "passed",
    "partial",
    "failed",
    "pending",
    "skipped",
    "trouble",
    "value",
    "expected",
    "clause",
    "changed",
)


class ScoreTree(RowList):
    """Set `score` after each step; folds stay, checks that changed are marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"score-tree--{name}" for name in PARTS}

    DEFAULT_CSS = """
    ScoreTree {
        & > .score-tree--passed { color: $text-success; text-style: bold; }
        & > .score-tree--partial { color: $text-warning; text-style: bold; }
        & > .score-tree--failed { color: $text-error; text-style: bold; }
        & > .score-tree--pending { color: $text-accent; }
        & > .score-tree--skipped { color: $foreground 65%; }
        & > .score-tree--trouble { color: $text-error; text-style: bold; }
        & > .score-tree--value { color: $foreground; }
        & > .score-tree--expected { color: $text-primary; }
        & > .score-tree--clause { color: $text-accent; text-style: italic; }
        & > .score-tree--changed { color: $text-accent; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("score")]

    empty_text = "No score yet: it comes after the first step."

    @dataclass
    class CheckFocused(Message):
        """The cursor stands on a check; `target` is what it compares (a field, "url" ...)."""

        tree: ScoreTree
        target: str

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._score: Score | None = None
        self._preview: Score | None = None
        self._sitting: FiguresCounted | None = None
        self._before: dict[str, object] = {}
        self._folds: dict[str, bool] = {}
        self._rows: list[ScoreRow] = []
        self._rows_width = 0

    def on_mount(self) -> None:
        self._build()

    @property
    def score(self) -> Score | None:
        return self._score

    @score.setter
    def score(self, score: Score | None) -> None:
        self._before = results(self._score)
        self._score = score
        self._build()

    @property
    def preview(self) -> Score | None:
        """What is shown instead of the score while an answer is being written; None = the score."""
        return self._preview

    @preview.setter
    def preview(self, preview: Score | None) -> None:
        self._preview = preview
        self._build()

    @property
    def sitting(self) -> FiguresCounted | None:
        """Figures over this sitting, shown below the score."""
        return self._sitting

    @sitting.setter
    def sitting(self, sitting: FiguresCounted | None) -> None:
        self._sitting = sitting
        self._build()

    @property
    def _current_score(self) -> Score | None:
        return self._preview or self._score

    def reset(self) -> None:
        """Forget score and folds: another task begins."""
        self._folds.clear()
        self._score, self._preview, self._before = None, None, {}
        self._build()

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def _build(self) -> None:
        """Make the rows anew; the cursor stays on its check."""
        if not self.is_attached:
            return
        key = self._rows[self.cursor].key if self.cursor < len(self._rows) else ""
        self._rows_width = self.scrollable_content_region.width or 36
        before = results(self._score) if self._preview is not None else self._before
        builder = ScoreRows(self._rows_width, self.glyphs, self._folds, before)
        self._rows = builder.rows(self._current_score) if self._current_score is not None else []
        if self._sitting is not None and self._preview is None:
            self._rows += figure_rows(self._sitting)
        if key:
            self.cursor = next((at for at, row in enumerate(self._rows) if row.key == key), self.cursor)
        self.rows_changed()
        self._show_titles()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._rows_width:
            self._build()

    def _show_titles(self) -> None:
        self.border_title = Content("Score" if self._preview is None else "Score of the answer being typed")
        score = self._current_score
        if score is None:
            self.border_subtitle = Content("")
        elif score.status is Status.SCORED:
            self.border_subtitle = Content(
                f"{value_words(score.value)} · {plain_text(score.rules, limit=20)}"
            )
        else:
            self.border_subtitle = Content(score.status.words)

    def row_line(self, row: int, width: int) -> Line:
        entry, glyphs = self._rows[row], self.glyphs
        line = Line(width)
        if entry.figure:
            line.right(f" {entry.figure[0]}", self._part(entry.figure[1]))
        if entry.foldable:
            line.add("  " * entry.depth)
            line.add(glyphs.changed if entry.changed else glyphs.unchanged, self._part("changed"))
            line.add(f"{glyphs.unfolded if entry.open else glyphs.folded} ", self._part("muted"))
        for text, part in entry.pieces:
            line.add(text, self._part(part))
        return line

    def _part(self, name: str) -> Any:
        if name in ("muted", "name"):
            return self.part("row-list--muted" if name == "muted" else "row-list--row")
        return self.part(f"score-tree--{name}")

    def row_focused(self, row: int) -> None:
        key = self._rows[row].key
        check = dict(keyed(self._current_score.checks)).get(key) if self._current_score is not None else None
        if check is not None:
            self.post_message(self.CheckFocused(self, check.target))

    def row_activated(self, row: int) -> None:
        if self._rows[row].foldable:
            self._fold(row, not self._rows[row].open)

    def row_clicked(self, row: int, column: int) -> None:
        if self._rows[row].foldable and column <= 2 + 2 * self._rows[row].depth:
            self._fold(row, not self._rows[row].open)

    def action_set_fold(self, open: bool) -> None:
        """Open the check under the cursor, or close it (also from one of its details)."""
        row = self.cursor
        while row > 0 and not self._rows[row].foldable and not open:
            row -= 1
        if self._rows and self._rows[row].foldable:
            self._fold(row, open)

    def _fold(self, row: int, open: bool) -> None:
        self.cursor = row
        self._folds[self._rows[row].key] = open
        self._build()

    def action_set_all(self, open: bool) -> None:
        if self._current_score is not None:
            keys = [
                *results(self._current_score),
                *(f"beside {other.rules}" for other in self._current_score.beside),
            ]
            self._folds = dict.fromkeys(keys, open)
            self._build()
