"""Runs: everything that is in the store, newest first, and the episodes of the chosen run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.corrected_lists import corrected_episodes, corrected_runs
from webbench.core.runner.status.board import look_at, unfinished_statuses
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import AT_WORK, resuming_words
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary
from webbench.core.store.pools import pools_of
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Analysis, Attached, FoundTexts, Labelling, go_to, open_trajectory
from webbench.tui.finding_again import store_option
from webbench.tui.screens.dialogs.attempts_to_compare import attempts_of_pool, open_comparison
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.runs.live_runs import LiveRuns
from webbench.tui.screens.runs.progress_board import CauseTable, RunBoard
from webbench.tui.screens.runs.run_control import RunControl
from webbench.tui.screens.runs.shelving import RunKeeping
from webbench.tui.screens.runs.shown_episodes import ShownEpisodes
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.record_table import RecordTable
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable
from webbench.tui.workbench import workbench
from webbench.tui.workers import read_or_tell, run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

GOING_ON = ("running", "stale")
RESTING = 0.08
"""Seconds that the cursor rests on a run before its episodes are read."""


class RunsScreen(Screen[None], ScreenOffers):
    """Runs above, the episodes of the one under the cursor below. Marks of both stay while one looks on.

    Of a run that a batch planned it shows how it stands; while it is at work, by itself. The screen reads,
    and hands what was read to its parts. Keys and messages arrive here.
    """

    CSS_PATH = stylesheet("runs")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("runs")]
    AUTO_FOCUS = "RunTable"

    def __init__(self, opening: Opening, run: str = "") -> None:
        """`run` is the one that the cursor goes to first."""
        super().__init__()
        self.opening = opening
        self.store = Store(opening.store)
        self.shown = ShownEpisodes(self)
        self.live = LiveRuns(self, self.store, self.shown, reload=self.action_reload)
        self.keeping = RunKeeping(self, self.store, self.action_reload)
        self.archived = False
        """Whether what is archived is listed, and nothing else."""
        self._first = run
        self._filter = ""
        """Of episodes of all runs, which are shown until another run is looked at."""
        self._filtered_at = ""

    def compose(self) -> ComposeResult:
        yield Static(Content(f"Runs · {plain_text(str(self.opening.store), limit=200)}"), id="runs-title")
        yield EmptyState(
            "No runs yet",
            "A run is a set of recorded episodes, of a person or an agent.",
            "webbench-tui import PATH  brings in what other tools recorded",
            "webbench-tui demo --headless  lets the bundled oracle record some, offline",
            "or step a task in the library: that is recorded too",
        )
        with Container(id="tables"):
            yield RunTable()
            yield RunBoard(store_option(self.opening.store, self._usual_store))
            yield CauseTable()
            yield EpisodeTable()
        yield KeyFooter()

    @property
    def _usual_store(self) -> Path:
        return workbench(self).settings.store_folder()

    def on_mount(self) -> None:
        self.action_reload()
        self.live.watch()

    def on_screen_resume(self) -> None:
        """After an episode, or labels, something may be new."""
        if self.shown.run or self._filter:
            self.action_reload()

    # -- what is marked ------------------------------------------------------------------------

    @property
    def chosen_runs(self) -> tuple[RunSummary, ...]:
        """The marked runs, or the one under the cursor."""
        return self.query_one(RunTable).chosen

    @property
    def chosen_episodes(self) -> tuple[EpisodeSummary, ...]:
        """The marked episodes, of whatever runs, or the one under the cursor."""
        return self.query_one(EpisodeTable).chosen

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the chosen runs and episodes; as records those of the list one is in."""
        runs = " ".join(one.run for one in self.chosen_runs)
        episodes = " ".join(f"{one.run}/{one.episode}" for one in self.chosen_episodes)
        of_list = episodes if self.query_one(EpisodeTable).has_focus else runs
        return {"run": runs, "episode": episodes, "record": of_list}

    # -- reading the store ---------------------------------------------------------------------

    def action_reload(self) -> None:
        run_worker(self, self._read_runs, exclusive=True, group="runs")

    async def _read_runs(self) -> None:
        read = await read_or_tell(self, self._runs_and_statuses)
        if read is None:
            return
        runs, statuses, pooled = read
        self.set_class(not runs, "-empty")
        table = self.query_one(RunTable)
        table.statuses, table.pools = statuses, pooled
        listed = [run for run in runs if run.archived == self.archived]
        table.say_archived(0 if self.archived else len(runs) - len(listed))
        table.say("Archived runs" if self.archived else "Runs")
        key = shown_key(self.app, "runs.archived")
        table.nothing_text = "Nothing is archived." if self.archived else f"All runs are archived: {key}"
        table.records = listed
        if self._first:
            table.go_to(self._first)
            self._first = ""
        self.shown.forget()
        self._read_soon()

    def _runs_and_statuses(self) -> tuple[list[RunSummary], dict[str, RunStatus], dict[str, list[str]]]:
        runs = corrected_runs(self.store)
        return runs, unfinished_statuses(self.store.root, runs), pools_of(self.store.root)

    def _read_soon(self) -> None:
        """What was found in all runs, until the cursor goes to another run; else the episodes of the run."""
        run = self.query_one(RunTable).record
        if self._filter and run is not None and run.run == self._filtered_at:
            run_worker(self, partial(self._find, self._filter), exclusive=True, group="episodes")
            return
        self._filter = ""
        if run is None or run.run != self.shown.run:
            run_worker(self, partial(self._read_episodes, run), exclusive=True, group="episodes")

    async def _read_episodes(self, run: RunSummary | None) -> None:
        if run is None:
            self.shown.show_none()
            return
        await asyncio.sleep(RESTING)
        seen = await read_or_tell(self, lambda: look_at(self.store, run.run))
        if seen is not None:
            self.shown.show(run.run, *seen)

    def action_find(self) -> None:
        """Episodes of all runs, by the same filter as `webbench-tui runs FILTER`."""

        def given(text: str | None) -> None:
            run = self.query_one(RunTable).record
            if text and text.strip() and run is not None:
                self._filter, self._filtered_at = text, run.run
                self.query_one(EpisodeTable).focus()

        question = "Which episodes of all runs? Words, or benchmark: run: actor: task: site: status: tag:"
        self.app.push_screen(TextPrompt(question, placeholder="webarena actor:human status:scored"), given)

    def action_find_text(self) -> None:
        """A text in actions, pages and whatever else is recorded of all episodes."""
        go_to(self, FoundTexts(self.store))

    async def _find(self, text: str) -> None:
        found = await read_or_tell(
            self, lambda: corrected_episodes(self.store, self.store.select(parse_filter(text)))
        )
        if found is not None:
            self.shown.show_found(text, found)

    # -- between the tables --------------------------------------------------------------------

    def on_record_table_focused(self, message: RecordTable.Focused) -> None:
        if isinstance(message.table, RunTable):
            self._read_soon()

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        if isinstance(message.table, RunTable):
            self.query_one(EpisodeTable).focus()
        elif isinstance(message.table, CauseTable):
            self.shown.choose_cause(message.table.record)
        else:
            self.action_view()

    def action_view(self) -> None:
        """Open the episode under the cursor."""
        episode = self.query_one(EpisodeTable).record
        if episode is None:
            self.notify("There is no episode here to open.", markup=False)
        elif episode.problem and episode.state == "unreadable":
            self.notify(plain_text(episode.problem, limit=300), severity="warning", markup=False)
        elif episode.state in GOING_ON:
            self._look_on(episode)
        else:
            root = self.store.root
            among = [root / one.run / one.episode for one in self.query_one(EpisodeTable).records]
            open_trajectory(self, root / episode.run / episode.episode, among=among)

    def _look_on(self, episode: EpisodeSummary) -> None:
        """Look on at an episode that is being played."""
        try:
            header = self.store.header(episode.run, episode.episode)
        except WebbenchError as error:
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
        else:
            go_to(self, Attached(self.opening, self.store, header))

    def action_compare(self) -> None:
        """Put the marked episodes side by side, or the one under the cursor beside others at its task."""
        work = partial(open_comparison, self, self.store, self.chosen_episodes)
        run_worker(self, work, exclusive=True, group="compare")

    def action_label(self) -> None:
        """Label the marked episodes; without marks those of the run, beginning at the cursor."""
        from webbench.core.people.labelling.worksheet import LabellingOrder

        chosen = [one for one in self.chosen_episodes if one.state != "unreadable"]
        if not chosen:
            self.notify("There is no episode here to label.", markup=False)
            return
        first = chosen[0]
        if len(chosen) == 1:
            run = self.query_one(EpisodeTable).records
            chosen = [one for one in run if one.state != "unreadable"]
        places = tuple((one.run, one.episode) for one in chosen)
        at = places.index((first.run, first.episode)) if first in chosen else 0
        go_to(self, Labelling(self.opening.store, LabellingOrder(places=places, at=at)))

    def action_analyse(self) -> None:
        """Analyse the marked runs."""
        benchmarks = sorted({run.benchmark for run in self.chosen_runs if run.benchmark})
        if len(benchmarks) > 1:
            told = f"The marked runs are of {' and '.join(benchmarks)}: mark runs of one benchmark."
            self.notify(plain_text(told), severity="warning", markup=False)
        elif self.chosen_runs:
            go_to(self, Analysis(self.store, [run.run for run in self.chosen_runs]))

    # -- what goes on --------------------------------------------------------------------------

    @property
    def _control(self) -> RunControl:
        return RunControl(self.app, self.store.root, self.opening.data)

    def action_stop_run(self) -> None:
        run_worker(self.app, partial(self._control.stop, self.shown.status), group="control")

    def action_resume_run(self) -> None:
        run_worker(self.app, partial(self._control.resume, self.shown.status), group="control")

    # -- what becomes of runs ------------------------------------------------------------------

    def _keep(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        run_worker(self, work, group="keeping")

    def action_rename(self) -> None:
        self._keep(partial(self.keeping.rename, self.query_one(RunTable).record))

    def action_note(self) -> None:
        self._keep(partial(self.keeping.note, self.query_one(RunTable).record))

    def action_tag(self) -> None:
        self._keep(partial(self.keeping.tag, self.chosen_runs))

    def action_archive(self) -> None:
        self._keep(partial(self.keeping.archive, self.chosen_runs))

    def action_discard(self) -> None:
        """Only from the list of runs: among episodes one may mean the episode."""
        if not self.query_one(RunTable).has_focus:
            self.notify("Runs are deleted from the list of runs; episodes can't be.", markup=False)
            return
        self._keep(partial(self.keeping.discard, self.chosen_runs))

    def action_bin(self) -> None:
        self._keep(self.keeping.look_into_bin)

    def action_undo(self) -> None:
        self._keep(self.keeping.undo)

    async def _pool(self) -> None:
        """Count the marked runs as one actor; without marks, look at the pools there are."""
        if len(self.chosen_runs) > 1:
            await self.keeping.pool(self.chosen_runs)
            return
        match await self.keeping.look_at_pools():
            case ("analyse", pool):
                go_to(self, Analysis(self.store, [pool]))
            case ("compare", pool):
                chosen = await attempts_of_pool(self, self.store, pool)
                if chosen:
                    await open_comparison(self, self.store, chosen)
            case ("mark", pool):
                table = self.query_one(RunTable)
                table.mark(run for run, own in table.pools.items() if pool in own)
            case _:
                return

    def action_pool(self) -> None:
        self._keep(self._pool)

    def action_show_archived(self) -> None:
        self.archived = not self.archived
        self.action_reload()

    def action_show_output(self) -> None:
        run = self.query_one(RunTable).record
        if run is not None:
            run_worker(self.app, partial(self._control.show_output, run.run), group="control")

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if self.has_class("-empty"):
            return id in ("runs.back", "app.help")
        status = self.shown.status
        match id:
            case "runs.stop":
                return status is not None and status.state in AT_WORK
            case "runs.resume":
                return status is not None and bool(resuming_words(status))
            case "runs.output":
                return status is not None and status.state in ("died", "halted")
        return True

    def action_back(self) -> None:
        """From the episodes to what they were chosen by, then to where one came from."""
        if self.query_one(EpisodeTable).has_focus and self.shown.cause is not None:
            self.shown.choose_cause(None)
        elif self.query_one(EpisodeTable).has_focus or self.query_one(CauseTable).has_focus:
            self.query_one(RunTable).focus()
        else:
            go_back(self)
