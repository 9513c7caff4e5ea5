"""The episodes behind a figure, to be opened one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from webbench.core.store.index.summaries import EpisodeSummary, read_summary
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.destinations import open_trajectory
from webbench.tui.screens.dialogs.attempts_to_compare import open_comparison
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import RecordTable
from webbench.tui.widgets.lists.run_tables import EpisodeTable
from webbench.tui.workers import run_worker


class EpisodesBehind(ModalScreen[None]):
    """A table of episodes over the figure; Enter opens one and comes back here."""

    CSS = """
    EpisodesBehind { align: center middle; }
    EpisodesBehind > EpisodeTable { width: 94%; height: 80%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("behind")]

    def __init__(self, store: Store, episodes: Sequence[str]) -> None:
        super().__init__()
        self.store = store
        self.episodes = tuple(dict.fromkeys(episodes))

    def compose(self) -> ComposeResult:
        yield EpisodeTable()
        yield KeyFooter()

    def on_mount(self) -> None:
        table = self.query_one(EpisodeTable)
        table.say("Episodes behind this row")
        table.nothing_text = "Reading them…"
        run_worker(self, self._read, exclusive=True)

    async def _read(self) -> None:
        table = self.query_one(EpisodeTable)
        table.records = await asyncio.to_thread(self._summaries)

    def _summaries(self) -> list[EpisodeSummary]:
        return [read_summary(self.store.root / name) for name in self.episodes]

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        episode = message.table.record
        if episode is None:
            return
        if episode.problem and episode.state == "unreadable":
            self.notify(plain_text(episode.problem, limit=300), severity="warning", markup=False)
            return
        open_trajectory(self, self.store.root / episode.run / episode.episode)

    def action_compare(self) -> None:
        """Put the marked episodes side by side."""
        chosen = self.query_one(EpisodeTable).chosen
        work = partial(open_comparison, self, self.store, chosen)
        run_worker(self, work, exclusive=True, group="compare")

    def action_back(self) -> None:
        self.dismiss(None)
