"""The episodes that the Runs screen shows: those of a run, with its board, or those found in all runs."""

from __future__ import annotations

from collections.abc import Sequence

from textual.screen import Screen

from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.unscored_causes import Cause
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.tui.screens.runs.progress_board import CauseTable, RunBoard
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable


class ShownEpisodes:
    """What stands below the runs: whose episodes these are, how that run stands, why some have no score."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self.run = ""
        """Name of the run that the episodes belong to. "": none was read yet, or they are of several."""
        self.cause: Cause | None = None
        """Why the shown episodes have no score. None: all episodes of the run are shown."""
        self._episodes: Sequence[EpisodeSummary] = ()

    @property
    def gone(self) -> bool:
        """The screen is being taken down: what is read off the disk by then comes too late."""
        return not self._screen.query(RunBoard)

    @property
    def status(self) -> RunStatus | None:
        """Of the run, where a batch planned it."""
        return None if self.gone else self._board.status

    @property
    def _board(self) -> RunBoard:
        return self._screen.query_one(RunBoard)

    @property
    def _table(self) -> EpisodeTable:
        return self._screen.query_one(EpisodeTable)

    def forget(self) -> None:
        """They have to be read again, whatever run they are of."""
        self.run = ""

    def show(self, run: str, status: RunStatus | None, episodes: Sequence[EpisodeSummary]) -> None:
        """A run's episodes, and how it stands if it was planned."""
        self.run = run
        if self.gone:
            return
        board = self._board
        if board.status is None or board.status.run != run:
            self.cause = None
        board.status = status
        self._screen.query_one(KeyFooter).refresh()
        self._screen.query_one(CauseTable).show(status.causes if status is not None else ())
        self._episodes = episodes
        self._show_rows()

    def show_none(self) -> None:
        """There is no run to show episodes of."""
        self.run = ""
        self._table.say("Episodes")
        self._table.records = ()

    def show_found(self, text: str, found: Sequence[EpisodeSummary]) -> None:
        """Those of all runs that match a filter."""
        self.run, self.cause = "", None
        self._board.status = None
        self._screen.query_one(CauseTable).show(())
        self._table.nothing_text = "No episode of any run matches."
        self._table.say(f"Episodes of all runs: {text}")
        self._table.records = found

    def choose_cause(self, cause: Cause | None) -> None:
        """Only the episodes that have no score for this reason; None for all of the run."""
        self.cause = cause
        self._show_rows()
        (self._table if cause is not None else self._screen.query_one(CauseTable)).focus()

    def _show_rows(self) -> None:
        table = self._table
        table.nothing_text = "This run has no episodes."
        shown = list(self._episodes)
        if self.cause is None:
            runs = self._screen.query_one(RunTable).all_records
            name = next((one.name for one in runs if one.run == self.run), "")
            table.say(f"Episodes of {name or self.run}")
        else:
            among = set(_current(self.cause, self._board.status).episodes)
            shown = [one for one in shown if one.episode in among]
            table.say(f"Episodes without a score: {self.cause.cause}")
        if shown != list(table.all_records):
            table.records = shown


def _current(cause: Cause, status: RunStatus | None) -> Cause:
    """The same cause as it stands now."""
    causes = status.causes if status is not None else ()
    return next((one for one in causes if (one.cause, one.status) == (cause.cause, cause.status)), cause)
