"""Every command of the program, the most used first: the one that is chosen opens as a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from webbench.tui.cli.listed_commands import MOST_USED, every_path, summary
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import CommandForm, go_to
from webbench.tui.screens.going_back import go_back
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable


class Listed(NamedTuple):
    """A command in the list: its words, what it does, and the group that it stands in."""

    path: tuple[str, ...]
    does: str
    group: str

    @property
    def called(self) -> str:
        return " ".join(self.path)


COLUMNS: tuple[RecordColumn[Listed], ...] = (
    RecordColumn("Command", lambda one: one.called, 17),
    RecordColumn("What it does", lambda one: one.does, 0, least=30),
    RecordColumn("Group", lambda one: one.group, 10, 3),
)


def listed(here: Sequence[tuple[str, ...]]) -> list[Listed]:
    """Those that go with a screen, those most used, then the others as `--help` lists them."""
    groups = dict.fromkeys(here, "here")
    groups |= {path: "often used" for path in MOST_USED if path not in groups}
    groups |= {path: "program" if len(path) == 1 else path[0] for path in every_path() if path not in groups}
    return [Listed(path, summary(path), group) for path, group in groups.items()]


class CommandTable(RecordTable[Listed]):
    """Its filter finds the commands that are called so; where none is, those that tell of it."""

    def __init__(self) -> None:
        super().__init__(COLUMNS, lambda one: one.path, "command")

    def on_key(self, event: events.Key) -> None:
        """The list opens with its filter: one Escape leaves both, as long as nothing was typed."""
        if event.key == "escape" and not self._query.text:
            self._query.typing = False

    def passes(self, record: Listed, text: str, words: Sequence[str]) -> bool:
        if any(_is_called(one, words) for one in self.all_records):
            return _is_called(record, words)
        return super().passes(record, text, words)


def _is_called(record: Listed, words: Sequence[str]) -> bool:
    return all(word in record.called for word in words)


class EveryCommandScreen(Screen[None], ScreenOffers):
    """It filters as one types, from the first letter on; Enter opens the form."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("commands")]
    AUTO_FOCUS = "CommandTable"

    def __init__(self, store: Path, at_hand: Mapping[str, str], here: Sequence[tuple[str, ...]] = ()) -> None:
        super().__init__()
        self._here = here
        self._store = store
        self._at_hand = at_hand

    @property
    def at_hand(self) -> Mapping[str, str]:
        """Of the screen that was left for this one."""
        return self._at_hand

    def compose(self) -> ComposeResult:
        yield CommandTable()
        yield KeyFooter()

    def on_mount(self) -> None:
        table = self.query_one(CommandTable)
        table.records = listed(self._here)
        table.action_filter()

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        one: Listed | None = message.table.record
        if one is not None:
            go_to(self, CommandForm(one.path, self._store, self.at_hand))

    def matters(self, id: str) -> bool:
        """Nothing here is marked, and this is the list of commands."""
        return id not in ("app.commands", "records.mark")

    def action_back(self) -> None:
        go_back(self)
