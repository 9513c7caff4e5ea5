"""What the Runs screen shows of runs that are being played: it follows them, cursors stay where they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from textual.screen import Screen

from webbench.core.errors import WebbenchError
from webbench.core.runner.status.board import as_it_stands, look_at, statuses_at_work
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import AT_WORK
from webbench.core.runner.status.unscored_causes import Cause
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.screens.runs.progress_board import CauseTable, RunBoard
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable
from webbench.tui.workers import run_worker

Answer = TypeVar("Answer")
EVERY = 1.0
"""Seconds between looks at what is being played."""


class LiveRuns(Screen[None]):
    """What a run at work has come to, and why episodes of a run have no score."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self._run = ""
        self.cause: Cause | None = None
        """Whose episodes alone are shown."""
        self._episodes: Sequence[EpisodeSummary] = ()
        self._names: set[str] | None = None
        """Runs that were there at the last look."""
        self._working: set[str] = set()
        """Runs that were at work then."""

    # -- following -----------------------------------------------------------------------------

    def watch_work(self) -> None:
        """Look again and again, while the screen is in front."""
        self.set_interval(EVERY, self._look_again)

    def _look_again(self) -> None:
        if self.is_current and not any(one.group == "work" for one in self.workers if one.node is self):
            run_worker(self, self._follow, group="work")

    async def _follow(self) -> None:
        statuses, names = await asyncio.to_thread(self._at_work)
        if self.left:
            return
        table = self.query_one(RunTable)
        new = self._names is not None and not names <= self._names
        begun_or_left = set(statuses) != self._working
        self._names, self._working = names, set(statuses)
        if new or begun_or_left or self._shows_as_at_work(set(statuses)):
            self.action_reload()
            return
        if self._run in statuses:
            await self._follow_board(self._run, statuses)
        if statuses and not self.left:
            self._update_runs(table, statuses)

    def _shows_as_at_work(self, working: set[str]) -> bool:
        """Whether the board was read before its runner left, and that was between two looks."""
        shown = self.query_one(RunBoard).status
        if shown is None or shown.run != self._run:
            return False
        return shown.state in AT_WORK and shown.run not in working

    async def _follow_board(self, run: str, statuses: dict[str, RunStatus]) -> None:
        """The run under the cursor; its line among the runs says the same as its board."""
        seen = await self._reading(lambda: look_at(self.store, run))
        if seen is None or self._run != run:
            return
        status, _ = seen
        if status is not None:
            statuses[run] = status
        self.show_board(run, *seen)

    def _at_work(self) -> tuple[dict[str, RunStatus], set[str]]:
        names = self.store.run_names()
        return statuses_at_work(self.store.root, names), names

    def action_reload(self) -> None:
        raise NotImplementedError

    def _update_runs(self, table: RunTable, statuses: dict[str, RunStatus]) -> None:
        table.statuses = {**table.statuses, **statuses}
        table.records = [
            as_it_stands(run, statuses[run.run]) if run.run in statuses else run for run in table.all_records
        ]

    async def _reading(self, read: Callable[[], Answer]) -> Answer | None:
        """What a thread reads off the disk; None where it can't, which is told."""
        try:
            return await asyncio.to_thread(read)
        except WebbenchError as error:
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
            return None

    # -- showing -------------------------------------------------------------------------------

    def show_board(self, run: str, status: RunStatus | None, episodes: Sequence[EpisodeSummary]) -> None:
        """A run's episodes, and how it stands if it was planned."""
        if self.left:
            return
        board = self.query_one(RunBoard)
        if board.status is None or board.status.run != run:
            self.cause = None
        board.status = status
        self.query_one(KeyFooter).refresh()
        self.query_one(CauseTable).show(status.causes if status is not None else ())
        self._episodes = episodes
        self._show_episodes()

    @property
    def left(self) -> bool:
        """The screen is being taken down: what is read off the disk by then comes too late."""
        return not self.query(RunBoard)

    def hide_board(self) -> None:
        """Episodes of several runs are shown."""
        self.cause = None
        self.query_one(RunBoard).status = None
        self.query_one(CauseTable).show(())

    def choose_cause(self, cause: Cause | None) -> None:
        """Only the episodes that have no score for this reason; None for all of the run."""
        self.cause = cause
        self._show_episodes()
        (self.query_one(EpisodeTable) if cause is not None else self.query_one(CauseTable)).focus()

    def _show_episodes(self) -> None:
        table = self.query_one(EpisodeTable)
        table.nothing_text = "This run has no episodes."
        shown = list(self._episodes)
        if self.cause is None:
            table.say(f"Episodes of {self._run}")
        else:
            status = self.query_one(RunBoard).status
            among = set(_current(self.cause, status).episodes)
            shown = [one for one in shown if one.episode in among]
            table.say(f"Episodes without a score: {self.cause.cause}")
        if shown != list(table.all_records):
            table.records = shown


def _current(cause: Cause, status: RunStatus | None) -> Cause:
    """The same cause as it stands now."""
    causes = status.causes if status is not None else ()
    return next((one for one in causes if (one.cause, one.status) == (cause.cause, cause.status)), cause)
