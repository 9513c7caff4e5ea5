"""Following the runs that are being played: what the Runs screen shows of them keeps up with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.screen import Screen

from webbench.core.runner.status.board import as_it_stands, look_at, statuses_at_work
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import AT_WORK
from webbench.core.store.store import Store
from webbench.tui.screens.runs.shown_episodes import ShownEpisodes
from webbench.tui.widgets.lists.run_tables import RunTable
from webbench.tui.workers import read_or_tell, run_worker

EVERY = 1.0
"""Seconds between looks at what is being played."""


class LiveRuns:
    """Looks again and again while the screen is in front; cursors stay where they are.

    Args:
        reload: reads the list of runs anew, where one was begun or has ended.
    """

    def __init__(
        self, screen: Screen[None], store: Store, shown: ShownEpisodes, *, reload: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._store = store
        self._shown = shown
        self._reload = reload
        self._names: set[str] | None = None
        """Runs that were there at the last look."""
        self._working: set[str] = set()
        """Runs that were at work then."""

    def watch(self) -> None:
        self._screen.set_interval(EVERY, self._look_again)

    def _look_again(self) -> None:
        workers = self._screen.workers
        if self._screen.is_current and not any(
            one.group == "work" for one in workers if one.node is self._screen
        ):
            run_worker(self._screen, self._follow, group="work")

    async def _follow(self) -> None:
        statuses, names = await asyncio.to_thread(self._at_work)
        if self._shown.gone:
            return
        new = self._names is not None and not names <= self._names
        begun_or_left = set(statuses) != self._working
        self._names, self._working = names, set(statuses)
        if new or begun_or_left or self._shows_as_at_work(set(statuses)):
            self._reload()
            return
        if self._shown.run in statuses:
            await self._follow_shown(self._shown.run, statuses)
        if statuses and not self._shown.gone:
            self._update_runs(statuses)

    def _at_work(self) -> tuple[dict[str, RunStatus], set[str]]:
        names = self._store.run_names()
        return statuses_at_work(self._store.root, names), names

    def _shows_as_at_work(self, working: set[str]) -> bool:
        """Whether the board was read before its runner left, and that was between two looks."""
        status = self._shown.status
        if status is None or status.run != self._shown.run:
            return False
        return status.state in AT_WORK and status.run not in working

    async def _follow_shown(self, run: str, statuses: dict[str, RunStatus]) -> None:
        """The run under the cursor; its line among the runs says the same as its board."""
        seen = await read_or_tell(self._screen, lambda: look_at(self._store, run))
        if seen is None or self._shown.run != run:
            return
        status, _ = seen
        if status is not None:
            statuses[run] = status
        self._shown.show(run, *seen)

    def _update_runs(self, statuses: dict[str, RunStatus]) -> None:
        table = self._screen.query_one(RunTable)
        table.statuses = {**table.statuses, **statuses}
        table.records = [
            as_it_stands(run, statuses[run.run]) if run.run in statuses else run for run in table.all_records
        ]
