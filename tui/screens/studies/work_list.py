"""An annotator's tasks with how far each is; what comes later isn't told before it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual.content import Content

from webbench.core.people.studies.annotator_progress import Work
from webbench.tui.widgets.lines.clock import clock_text
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

STAGES = {"to do": "to do", "open": "begun", "to rate": "two questions left", "done": "done"}


class WorkList(RowList):
    """Set `works`; the next one is marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"work-list--done", "work-list--next"}

    DEFAULT_CSS = """
    WorkList {
        & > .work-list--done { color: $text-success; }
        & > .work-list--next { color: $text-accent; text-style: bold; }
    }
    """
    empty_text = "No task is yours in this study."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._works: tuple[Work, ...] = ()
        self._next: Work | None = None

    def on_mount(self) -> None:
        self.border_title = Content("Your tasks")

    def show(self, works: Iterable[Work], following: Work | None) -> None:
        self._works, self._next = tuple(works), following
        done = sum(work.stage == "done" for work in self._works)
        self.border_subtitle = Content(f"{done} of {len(self._works)} done")
        if following in self._works:
            self.cursor = self._works.index(following)
        self.rows_changed()

    @property
    def row_count(self) -> int:
        return len(self._works)

    def row_line(self, row: int, width: int) -> Line:
        work = self._works[row]
        signs = {"to do": self.glyphs.other, "open": self.glyphs.partial, "to rate": self.glyphs.partial}
        line = Line(width).add(f" {row + 1:>3} ", self.part("row-list--muted"))
        style = self.part(
            "work-list--done"
            if work.stage == "done"
            else "work-list--next"
            if work == self._next
            else "row-list--row"
        )
        line.add(f"{signs.get(work.stage, self.glyphs.passed)} ", style)
        line.add(
            f"{'next' if work == self._next and work.stage == 'to do' else STAGES[work.stage]:<20}", style
        )
        return line.add(clock_text(work.seconds) if work.seconds else "", self.part("row-list--muted"))
