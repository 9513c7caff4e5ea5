"""What a step changed on the page: nodes that came, went, or read differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.analysis.recorded.changed_rows import SIGNS, DifferenceRow, counts_text, difference_rows
from webbench.core.analysis.recorded.observation_difference import ObservationDifference
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList

DEEPEST = 8
"""Levels by which a row is indented at most."""


class DifferenceList(RowList):
    """Set `difference`; the node under the cursor can be found again in the tree."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"difference-list--{kind}" for kind in SIGNS}

    DEFAULT_CSS = """
    DifferenceList {
        & > .difference-list--added { color: $text-success; }
        & > .difference-list--removed { color: $text-error; }
        & > .difference-list--changed { color: $text-warning; }
        & > .difference-list--page { color: $text-accent; text-style: bold; }
    }
    """

    empty_text = "Comparing…"

    @dataclass
    class NodeChosen(Message):
        """Enter on a node, or the cursor came to it."""

        rows: DifferenceList
        row: DifferenceRow

    _rows: tuple[DifferenceRow, ...] = ()
    _depths: Mapping[str, int] = {}

    def on_mount(self) -> None:
        self.border_title = Content("Difference")

    def show(self, difference: ObservationDifference | None) -> None:
        """Show what changed; None while it isn't known yet."""
        self._rows = difference_rows(difference) if difference is not None else ()
        self._depths = {
            kind: min((row.node.depth for row in self._rows if row.kind == kind and row.node), default=0)
            for kind in ("added", "removed")
        }
        self.empty_text = _nothing(difference)
        self.border_subtitle = Content(counts_text(difference) if difference is not None else "")
        self.cursor = 0
        self.scroll_to(y=0, animate=False)
        self.rows_changed()

    @property
    def row_count(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> tuple[DifferenceRow, ...]:
        return self._rows

    def row_line(self, row: int, width: int) -> Line:
        shown = self._rows[row]
        style = self.part(f"difference-list--{shown.kind}")
        line = Line(width).add(f" {SIGNS[shown.kind]} ", style)
        node = shown.node
        if node is not None and shown.kind in self._depths:
            line.add("  " * min(DEEPEST, node.depth - self._depths[shown.kind]))
        if node is not None:
            line.add(plain_text(node.id_text), self.part("row-list--muted"))
            line.add(f"{plain_text(node.role, limit=40)} ", style)
        return line.add(plain_text(shown.text.replace("→", self.glyphs.arrow), limit=400))

    def row_focused(self, row: int) -> None:
        if self.has_focus:
            self.post_message(self.NodeChosen(self, self._rows[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.NodeChosen(self, self._rows[row]))


def _nothing(difference: ObservationDifference | None) -> str:
    if difference is None:
        return "Comparing…"
    if not difference.known:
        told = "The pages were not recorded on both sides of this step, or can't be read"
        return f"{told}: what it changed isn't known."
    return "Nothing changed on the page."
