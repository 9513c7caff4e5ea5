"""Disputed scores: the queue, and what becomes of each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.corrections import Case, cases
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.disputing import ruled
from webbench.core.store.store import Store
from webbench.core.text.no_value import or_dash
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.workers import run_worker


class DisputeList(RowList):
    """Disputes that nobody ruled on first."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"dispute-list--{name}" for name in ("open", "accepted", "rejected", "outdated")
    }
    DEFAULT_CSS = """
    DisputeList {
        & > .dispute-list--open { color: $text-warning; text-style: bold; }
        & > .dispute-list--accepted { color: $text-success; text-style: bold; }
        & > .dispute-list--rejected { color: $text-error; text-style: bold; }
        & > .dispute-list--outdated { color: $foreground-muted; }
    }
    """
    empty_text = "No score is disputed."

    class CaseFocused(Message):
        """The cursor came to rest on a dispute."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._cases: Sequence[Case] = ()

    @property
    def cases(self) -> Sequence[Case]:
        return self._cases

    @cases.setter
    def cases(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self.rows_changed()
        undecided = sum(case.state == "open" for case in cases)
        self.border_title = Content("Disputed scores")
        self.border_subtitle = Content(f"{counted(len(cases), 'dispute')}, {undecided} open")

    @property
    def case(self) -> Case | None:
        return self._cases[self.cursor] if self.cursor < len(self._cases) else None

    @property
    def row_count(self) -> int:
        return len(self._cases)

    def row_line(self, row: int, width: int) -> Line:
        case = self._cases[row]
        dispute = case.dispute
        line = Line(width)
        line.add(f"{case.state:<9}", self.part(f"dispute-list--{case.state}"))
        line.add(f"{or_dash(dispute.scored)} {self.glyphs.arrow} {or_dash(dispute.corrected)}  ")
        line.add(f"{plain_text(dispute.annotator, limit=40)}: {plain_text(dispute.reason, limit=300)}  ")
        return line.add(plain_text(dispute.episode, limit=200), self.part("row-list--muted"))

    def row_focused(self, row: int) -> None:
        self.post_message(self.CaseFocused())


class DisputesScreen(Screen[None], ScreenOffers):
    """Accept or reject a dispute; the score as it was recorded is never changed."""

    CSS = """
    DisputesScreen {
        #disputes-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
        DisputeList { height: 3fr; }
        TextRows { height: 2fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("disputes")]
    AUTO_FOCUS = "DisputeList"

    def __init__(self, store: Store, annotator: str) -> None:
        super().__init__()
        self._store = store
        self._annotator = annotator

    def compose(self) -> ComposeResult:
        yield Static(Content(f"Disputed scores · {plain_text(self._annotator)} rules"), id="disputes-title")
        yield DisputeList()
        yield TextRows()
        yield KeyFooter()

    def on_mount(self) -> None:
        key = shown_key(self.app, "labelling.dispute")
        told = f"No score is disputed: {key} on the labelling screen flags one as wrong, with a reason."
        self.query_one(DisputeList).empty_text = told
        self._read()

    def matters(self, id: str) -> bool:
        """Without a dispute there is nothing to rule on."""
        return id in ("disputes.back", "app.help") or self.query_one(DisputeList).case is not None

    def _read(self) -> None:
        try:
            self.query_one(DisputeList).cases = cases(ledger_of(self._store).book())
        except WebbenchError as error:
            self.notify(plain_text(str(error)), severity="error", markup=False)
        self.on_dispute_list_case_focused()

    def on_dispute_list_case_focused(self) -> None:
        case = self.query_one(DisputeList).case
        detail = self.query_one(TextRows)
        detail.border_title = Content("Dispute")
        detail.entries = _entries(case) if case is not None else ()

    def action_rule(self, verdict: str) -> None:
        case = self.query_one(DisputeList).case
        if case is None:
            self.notify("There is no dispute to rule on.", markup=False)
            return
        run_worker(self, partial(self._rule, case, verdict), group="rule")

    async def _rule(self, case: Case, verdict: str) -> None:
        dispute = case.dispute
        book = ledger_of(self._store).book()
        try:
            entry = ruled(
                book, (dispute.run, dispute.episode), self._annotator, verdict, by=dispute.annotator
            )
            await asyncio.to_thread(ledger_of(self._store).add, [entry])
        except WebbenchError as error:
            self.notify(plain_text(str(error)), severity="error", markup=False)
        self._read()

    def action_back(self) -> None:
        self.dismiss(None)


def _entries(case: Case) -> list[Entry]:
    dispute, ruling = case.dispute, case.ruling
    entries = [
        Entry("episode", f"{dispute.run}/{dispute.episode}", "muted"),
        Entry("as scored", f"{or_dash(dispute.scored)} ({dispute.status.words})"),
        Entry("as corrected", or_dash(dispute.corrected), "strong"),
        Entry("reason", f"{dispute.annotator}: {dispute.reason}"),
    ]
    if dispute.check:
        entries.append(Entry("check", dispute.check))
    if dispute.evidence is not None:
        quote = f" “{dispute.quote}”" if dispute.quote else ""
        entries.append(Entry("evidence", f"step {dispute.evidence}{quote}"))
    if ruling is not None:
        note = f": {ruling.note}" if ruling.note else ""
        entries.append(Entry("ruling", f"{ruling.verdict} by {ruling.annotator}{note}"))
    entries.append(Entry("disputed", dispute.at[:16].replace("T", " "), "muted"))
    return entries
