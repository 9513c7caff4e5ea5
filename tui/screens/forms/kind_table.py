"""The account of an import by kind: what the source has, what the records have, and why the two differ."""

from __future__ import annotations

from typing import Any

import msgspec

from webbench.core.exchange.account.balance import Row, reasons_in_words
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable
from webbench.tui.widgets.lists.text_rows import Entry

UNEXPLAINED, LEFT_OUT, EXPLAINED, EQUAL = "✗ unexplained", "left out", "explained", "equal"


class OfFormat(msgspec.Struct):
    """What one format had in one folder, a row a kind."""

    folder: str
    format: str
    rows: list[Row]


class KindRow(msgspec.Struct, frozen=True):
    """One kind of it."""

    folder: str
    format: str
    row: Row

    @property
    def state(self) -> str:
        """In a word: the worst of its reasons."""
        sorts = {reason.sort for reason in self.row.reasons}
        if "unexplained" in sorts:
            return UNEXPLAINED
        return LEFT_OUT if "left" in sorts else EXPLAINED if sorts else EQUAL


COLUMNS: tuple[RecordColumn[KindRow], ...] = (
    RecordColumn("Kind", lambda one: one.row.kind, 9),
    RecordColumn("Source", lambda one: f"{one.row.source:,}", 9, right=True),
    RecordColumn("Record", lambda one: f"{one.row.recorded:,}", 9, right=True),
    RecordColumn("State", lambda one: one.state, 13),
    RecordColumn("Why", lambda one: reasons_in_words(one.row), 0, 9, least=16),
    RecordColumn("Format", lambda one: one.format, 16, 5),
    RecordColumn("Folder", lambda one: one.folder, 14, 3, middle=True),
)


class KindTable(RecordTable[KindRow]):
    """Rows that nothing explains come first and are marked; Enter asks for all reasons of a row."""

    nothing_text = "Nothing was imported that could be counted."

    def __init__(self, **names: Any) -> None:
        super().__init__(COLUMNS, lambda one: (one.folder, one.format, one.row.kind), "kind", **names)

    def show(self, accounts: list[OfFormat]) -> None:
        rows = [KindRow(of.folder, of.format, row) for of in accounts for row in of.rows]
        self.records = sorted(rows, key=lambda one: one.state != UNEXPLAINED)
        self.say("What came, kind by kind")

    def told(self) -> list[str]:
        open_ = sum(one.state == UNEXPLAINED for one in self.all_records)
        return [*super().told(), f"{open_} unexplained" if open_ else "all explained"]

    def reasons(self) -> list[Entry]:
        """Of the kind under the cursor, for reading."""
        one = self.record
        if one is None:
            return []
        head = f"{one.row.kind}: {one.row.source:,} in the source, {one.row.recorded:,} in the records"
        reasons = [Entry("", f"{reason.count:,} {reason.sort}: {reason.why}") for reason in one.row.reasons]
        return [Entry("", head, "strong"), Entry("", ""), *(reasons or [Entry("", EQUAL)])]

    def part_of(self, record: KindRow, column: RecordColumn[KindRow], number: int) -> str:
        if record.state == UNEXPLAINED and column.title in ("Kind", "State"):
            return "record-table--bad"
        return super().part_of(record, column, number)
