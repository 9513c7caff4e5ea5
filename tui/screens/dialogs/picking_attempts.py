"""Other attempts at a task to choose from: outcome, steps, time and when each began; space marks several."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.text.durations import duration_words, start_words
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import NO_FIGURE, RecordColumn, RecordTable
from webbench.tui.widgets.lists.run_tables import episode_status
from webbench.tui.widgets.score.figures_so_far import result_text


def taken_text(one: EpisodeSummary) -> str:
    """How long it took from its beginning to its end."""
    try:
        taken = datetime.fromisoformat(one.ended) - datetime.fromisoformat(one.started)
    except (ValueError, TypeError):
        return NO_FIGURE
    return duration_words(taken.total_seconds()) if taken.total_seconds() > 0 else NO_FIGURE


def score_text(one: EpisodeSummary) -> str:
    """The figure, and as corrected where somebody disputes it."""
    text = result_text(one.value) or NO_FIGURE
    return f"{text}, corrected {result_text(one.as_corrected) or NO_FIGURE}" if one.dispute else text


COLUMNS: tuple[RecordColumn[EpisodeSummary], ...] = (
    RecordColumn("Actor", lambda one: one.actor, 0, 9, least=18),
    RecordColumn("Score", score_text, 0, 9, right=True, least=6),
    RecordColumn("Status", episode_status, 11, 6),
    RecordColumn("Steps", lambda one: f"{one.steps:,}", 5, 8, right=True),
    RecordColumn("Took", taken_text, 12, 5, right=True),
    RecordColumn("Started", lambda one: start_words(one.started), 16, 7),
    RecordColumn("Run", lambda one: one.run, 0, 2, least=20),
)


class AttemptTable(RecordTable[EpisodeSummary]):
    """Scores of 1 stand out from those below."""

    def __init__(self, **names: Any) -> None:
        super().__init__(COLUMNS, lambda one: (one.run, one.episode), "attempt", **names)

    def part_of(self, record: EpisodeSummary, column: RecordColumn[EpisodeSummary], number: int) -> str:
        if column.title == "Score" and record.value is not None:
            return "record-table--good" if record.value == 1 else "record-table--bad"
        return super().part_of(record, column, number)


class AttemptPicker(ModalScreen[tuple[EpisodeSummary, ...]]):
    """Gives the marked attempts, the one under the cursor where none is marked, or none.

    Args:
        attempts: to choose from, people's first.
        most: that can be taken at once.
    """

    CSS = """
    AttemptPicker { align: center middle; }
    AttemptPicker > AttemptTable { width: 94%; height: auto; max-height: 80%; min-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("attempts")]
    AUTO_FOCUS = "AttemptTable"

    def __init__(self, attempts: Sequence[EpisodeSummary], most: int) -> None:
        super().__init__()
        self.attempts = tuple(attempts)
        self.most = most

    def compose(self) -> ComposeResult:
        yield AttemptTable()
        yield KeyFooter()

    @property
    def footer_titles(self) -> dict[str, str]:
        return {"records.open": "Compare"}

    def on_mount(self) -> None:
        table = self.query_one(AttemptTable)
        table.records = self.attempts
        table.styles.height = len(self.attempts) + 3
        table.say(f"Compare with which of {counted(len(self.attempts), 'other attempt')}?")

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        self.dismiss(message.table.chosen[: self.most])

    def action_take_all(self) -> None:
        """As many as stand side by side, from the top."""
        self.dismiss(self.query_one(AttemptTable).records[: self.most])

    def action_back(self) -> None:
        self.dismiss(())
