"""What can be labelled: the episode as a whole and its steps, with the labels they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.people.labelling.worksheet import Sheet
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step, step_words
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.step_list import step_kind

SUGGESTED = "?"


class LabelledSteps(RowList):
    """Set `sheet`. A star stands at one's own labels, a question mark where something is suggested."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"labelled-steps--{name}" for name in ("own", "other", "suggested", "bad")
    }
    DEFAULT_CSS = """
    LabelledSteps {
        & > .labelled-steps--own { color: $text-success; text-style: bold; }
        & > .labelled-steps--other { color: $text-accent; }
        & > .labelled-steps--suggested { color: $text-warning; }
        & > .labelled-steps--bad { color: $text-error; }
    }
    """
    empty_text = "Reading the episode…"

    @dataclass
    class PlaceFocused(Message):
        """The cursor came to rest on a step, or (None) on the episode as a whole."""

        step: int | None

    @dataclass
    class PlaceActivated(Message):
        step: int | None

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._sheet: Sheet | None = None
        self._rows: Sequence[Step | None] = ()

    @property
    def sheet(self) -> Sheet | None:
        return self._sheet

    @sheet.setter
    def sheet(self, sheet: Sheet) -> None:
        self._sheet, self._rows = sheet, sheet.rows
        self.rows_changed()
        labelled = len({one.step for one in sheet.own})
        parts = [counted(labelled, "labelled place")] if labelled else ["nothing labelled yet"]
        if sheet.suggestions:
            parts.append(counted(len(sheet.suggestions), "suggestion"))
        if sheet.verdicts:
            parts.append(counted(len(sheet.verdicts), "verdict"))
        self.border_title = Content("Done" if sheet.done else "To be labelled")
        self.border_subtitle = Content(" · ".join(parts))

    @property
    def row_count(self) -> int:
        return len(self._rows)

    @property
    def step(self) -> int | None:
        """Index of the step under the cursor, None for the episode as a whole."""
        row = self._rows[self.cursor] if self.cursor < len(self._rows) else None
        return None if row is None else row.index

    def go_to(self, step: int | None) -> None:
        """Put the cursor on a step, where there is one of this index."""
        for at, row in enumerate(self._rows):
            if (None if row is None else row.index) == step:
                self.cursor = at
                return

    def row_line(self, row: int, width: int) -> Line:
        step, sheet = self._rows[row], self._sheet
        line = Line(width)
        if sheet is None:
            return line
        index = None if step is None else step.index
        own, others = sheet.labels_of(index), sheet.others_of(index)
        if own:
            codes = " ".join(label.answer for label in own)
            line.right(f" {plain_text(codes, limit=max(8, width // 3))} ", self.part("labelled-steps--own"))
        if others:
            line.right(f" +{len(others)} ", self.part("labelled-steps--other"))
        line.add(f"{self.glyphs.star} " if own else "  ", self.part("labelled-steps--own"))
        suggested = index is not None and (
            sheet.suggestions_of(index) or sheet.citing(index) or sheet.decisive(index) or sheet.naming(index)
        )
        line.add(f"{SUGGESTED} " if suggested else "  ", self.part("labelled-steps--suggested"))
        if step is None:
            return line.add("The episode as a whole")
        line.add(f"{step.index:>3} ", self.part("row-list--muted"))
        if step_kind(step) == "start":
            return line.add("  start", self.part("row-list--muted"))
        sign, part = (" ", "own") if step.ok else (self.glyphs.failed, "bad")
        line.add(f"{sign} ", self.part(f"labelled-steps--{part}"))
        return line.add(plain_text(step_words(step) or step.note, limit=300))

    def quotable(self) -> str:
        step = self._rows[self.cursor]
        return "" if step is None else step_words(step) or step.note

    def row_focused(self, row: int) -> None:
        self.post_message(self.PlaceFocused(self.step))

    def row_activated(self, row: int) -> None:
        self.post_message(self.PlaceActivated(self.step))
