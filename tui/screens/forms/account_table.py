"""The account of an import as a table: what was lost or refused, by reason, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from webbench.core.exchange.account.losses_by_reason import Loss
from webbench.core.text.plural import counted
from webbench.tui.screens.forms.kind_table import OfFormat
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable
from webbench.tui.widgets.lists.text_rows import Entry


class Account(msgspec.Struct):
    """Of what `import --account` writes, what is shown."""

    episodes: int
    losses: list[Loss]
    account: list[OfFormat] = []


def read_account(file: Path) -> Account | None:
    """What the command wrote, None where it wrote no account."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Account)
    except (OSError, msgspec.DecodeError):
        return None


COLUMNS: tuple[RecordColumn[Loss], ...] = (
    RecordColumn("Kind", lambda one: one.kind, 7),
    RecordColumn("Reason", lambda one: one.reason, 0, least=30),
    RecordColumn("Times", lambda one: f"{one.times:,}", 6, 8, right=True),
    RecordColumn("Places", lambda one: f"{len(one.places):,}", 6, 7, right=True),
    RecordColumn("Format", lambda one: ", ".join(one.formats), 0, 6, least=10),
    RecordColumn("First place", lambda one: one.places[0], 0, 4, least=24, middle=True),
)


class AccountTable(RecordTable[Loss]):
    """Enter asks for all places of a reason."""

    nothing_text = "Nothing was lost and nothing refused."

    def __init__(self, **names: Any) -> None:
        super().__init__(COLUMNS, lambda one: (one.kind, one.reason), "reason", **names)
        self._episodes = 0

    def show(self, account: Account) -> None:
        self._episodes = account.episodes
        self.records = account.losses
        self.say("What was lost, and refused")

    def told(self) -> list[str]:
        lost = super().told() if self.all_records else ["nothing lost"]
        return [f"{counted(self._episodes, 'episode')} read", *lost]

    def places(self) -> list[Entry]:
        """Of the reason under the cursor, for reading."""
        one = self.record
        if one is None:
            return []
        return [Entry("", one.reason, "strong"), Entry("", ""), *(Entry("", place) for place in one.places)]

    def part_of(self, record: Loss, column: RecordColumn[Loss], number: int) -> str:
        if column.title == "Kind" and record.kind == "refused":
            return "record-table--bad"
        return "row-list--row" if column.title == "Reason" else super().part_of(record, column, number)
