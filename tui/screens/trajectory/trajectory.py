"""A recorded episode, step by step: the stepper's panes, read-only."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import ContentSwitcher

from webbench.core.analysis.decisive.model_level import named_steps
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.errors import BadData, WebbenchError
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.core.trajectory import IMPORTED, Step
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Labelling, Trajectory, go_to, open_trajectory
from webbench.tui.screens.dialogs.attempts_to_compare import compare_with_others
from webbench.tui.screens.dialogs.open_coding import OpenCoding
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen, read_in_editor
from webbench.tui.screens.dialogs.step_outside import StepOutside, StepPlace
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.node_html import NodeHtml, RecordedHtml
from webbench.tui.screens.page_panes import PANES, PagePanes
from webbench.tui.screens.trajectory.episode_title import TrajectoryTitle
from webbench.tui.screens.trajectory.filmstrip import Filmstrip
from webbench.tui.screens.trajectory.fork import Forking
from webbench.tui.screens.trajectory.match_list import MatchList
from webbench.tui.screens.trajectory.panels import model_entries, note_entries, whole_step
from webbench.tui.screens.trajectory.scrubbing import NO_STEPS, Scrubbing
from webbench.tui.screens.trajectory.shown_page import ShownPage
from webbench.tui.screens.trajectory.step_difference import StepDifference
from webbench.tui.screens.trajectory.text_search import TextSearch
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lines.time_strip import TimeStrip
from webbench.tui.widgets.lists.conversation import Conversation
from webbench.tui.widgets.lists.decisive_steps import decisive_entries
from webbench.tui.widgets.lists.difference_list import DifferenceList
from webbench.tui.widgets.lists.html_pane import HtmlPane
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.steps_panel import StepsPanel
from webbench.tui.widgets.lists.task_preview import task_entries
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.picture.recorded_picture import RecordedPicture
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.recorded_tree import RecordedTree
from webbench.tui.workbench import annotator_of
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

NO_MESSAGES = "No messages of the page were recorded."
FILM_FROM = (150, 40)
"""Columns and rows from which the filmstrip has room."""
SHORT = {
    "model": "Model",
    "steps": "Steps",
    "difference": "Changes",
    "score": "Score",
    "messages": "Log",
    "notes": "Notes",
    "conversation": "Talk",
    "found": "Found",
    "html": "HTML",
}
"""The side panels by their names in the pane bar."""


class TrajectoryScreen(PagePanes, ScreenOffers):
    """Arrows scrub, `b` turns from the page before the action to the one after it.

    It owns the place in the record and hands it to its parts. Keys and messages arrive here.
    """

    CSS_PATH = stylesheet("panes")
    CSS = """
    TrajectoryScreen {
        & #panel TextRows { height: 1fr; }
        &.-film Filmstrip { display: block; }
        &.-without-pictures.-normal #picture, &.-without-pictures.-wide #picture { display: none; }
        &.-without-pictures.-normal #panel { row-span: 2; }
        &.-without-pictures.-wide #tree, &.-without-pictures.-wide #panel { row-span: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("trajectory")]
    AUTO_FOCUS = "#tree"

    panels = tuple(SHORT)
    scope = "trajectory"

    def pane_titles(self) -> list[tuple[str, str]]:
        """Short ones: there are ten of them."""
        titles = [
            (name, f"{shown_key(self.app, f'trajectory.panel_{name}')} {SHORT[name]}") for name in SHORT
        ]
        return [("tree", "Page"), ("picture", "Shot"), *titles]

    def __init__(
        self,
        opening: Opening,
        episode: Path,
        step: int | None = None,
        among: Sequence[Path] = (),
        *,
        after: bool = False,
    ) -> None:
        """`step` is the index of the step to open at; None opens at the first action.

        `among` are the episodes of the list it was opened from, this one among them; `after` shows the page
        after the action first.
        """
        super().__init__()
        self.opening = opening
        self.scrubbing = Scrubbing(opening.store, episode)
        self.scrubbing.turn(before=not after)
        self.page = ShownPage(self, self.scrubbing)
        self.difference = StepDifference(self, self.scrubbing)
        self.search = TextSearch(self, self.scrubbing, shown=self.show_place)
        self.forking = Forking(self, self.scrubbing, opening)
        self.outside = StepOutside(self, self._step_seen)
        self.html = NodeHtml(self, self._recorded_html)
        self.coding = OpenCoding(
            self,
            Store(opening.store, configured_redaction(load_settings())),
            self._place,
            annotator=partial(annotator_of, self),
        )
        self._opened_at = step
        self._among = tuple(among)

    @property
    def episode(self) -> RecordedEpisode | None:
        return self.scrubbing.episode

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the episode, and its run."""
        run, episode = self.scrubbing.folder.parts[-2:]
        return {"run": run, **dict.fromkeys(("episode", "record"), f"{run}/{episode}")}

    @property
    def step(self) -> Step | None:
        """The step that is shown."""
        return self.scrubbing.step

    def compose(self) -> ComposeResult:
        yield TrajectoryTitle(id="title")
        yield TimeStrip(id="time")
        yield PaneBar(self.pane_titles(), id="pane-bar")
        with Container(id="panes"):
            yield RecordedTree(id="tree")
            yield RecordedPicture(self.graphics, id="picture")
            with ContentSwitcher(id="panel", initial="model"):
                yield TextRows(id="model")
                yield StepsPanel(id="steps")
                yield DifferenceList(id="difference")
                yield ScoreTree(id="score")
                yield MessagesLog(id="messages")
                yield TextRows(id="notes")
                yield Conversation(id="conversation")
                yield MatchList(id="found")
                yield HtmlPane(id="html")
        yield Filmstrip(id="film")
        yield KeyFooter()

    async def on_mount(self) -> None:
        self.query_one("#model", TextRows).border_title = "Model"
        notes = self.query_one("#notes", TextRows)
        notes.border_title, notes.empty_text = "Notes", "No notes were taken in this episode."
        self.query_one(ScoreTree).empty_text = "No score was recorded at this step."
        self.place_panes()
        await self.open_episode(self._opened_at)

    def on_resize(self) -> None:
        self._place_film()

    def _place_film(self) -> None:
        """The filmstrip stands where there is room; without any picture their pane goes too."""
        columns, rows = self.size
        pictures = self.scrubbing.has_pictures
        self.set_class(self.episode is not None and not pictures, "-without-pictures")
        drawn = pictures and self.graphics.mode != "text"
        self.set_class(drawn and columns >= FILM_FROM[0] and rows >= FILM_FROM[1], "-film")

    def show_panel(self, name: str) -> None:
        super().show_panel(name)
        if name == "difference":
            self.difference.show()

    def action_turn_pane(self, step: int) -> None:
        """The next pane; that for pictures is left out where there are none."""
        hidden = "picture" if self.has_class("-without-pictures") and not self.narrow else ""
        panes = [pane for pane in PANES if pane != hidden]
        self.note_pane()
        self.show_pane(panes[(panes.index(self._pane) + step) % len(panes)])

    # -- opening -------------------------------------------------------------------------------

    async def open_episode(self, at: int | None = None) -> None:
        """Read the record, then show the step with this index (the first action, if None)."""
        first = self.episode is None
        try:
            episode = await self.scrubbing.read()
        except WebbenchError as error:
            self.page.show_none(str(error))
            return
        self.page.open(episode)
        self.difference.forget()
        self._fill_panels(episode)
        self._place_film()
        if not episode.steps:
            self._show_without_steps(episode)
            return
        if first:
            self._begin_where_something_is()
        if problems := episode.trajectory.problems:
            told = f"{counted(len(problems), 'part')} of the record can't be read: see the notes."
            self.notify(told, severity="warning", markup=False)
        place = episode.place_of(at) if at is not None else None
        if at is not None and place is None:
            self.notify(f"There is no step {at}.", severity="warning", markup=False)
        self.show_place(min(1, len(episode.steps) - 1) if place is None else place)

    def _fill_panels(self, episode: RecordedEpisode) -> None:
        """What doesn't change while one scrubs."""
        steps = self.query_one(StepsPanel).steps
        steps.in_words = IMPORTED in episode.trajectory.header.settings
        steps.steps = episode.steps
        self.query_one(TimeStrip).profile = self.scrubbing.profile
        log = self.query_one(MessagesLog)
        log.empty_text = NO_MESSAGES
        log.clear()
        for step in episode.steps:
            if step.messages:
                log.extend(step.index, step.messages)
        record = episode.trajectory
        self.query_one("#notes", TextRows).entries = note_entries(
            record.header, episode.steps, record.problems
        )
        run_worker(self, partial(self._ask_what_decided, episode), group="decisive", exclusive=True)

    async def _ask_what_decided(self, episode: RecordedEpisode) -> None:
        """Put the steps that may have decided a failure before the notes, once all pages are read."""
        record = episode.trajectory
        problems = list(record.problems)
        ranking = await asyncio.to_thread(rank_steps, episode.store, record)
        try:
            named = await asyncio.to_thread(named_steps, episode.store)
        except BadData as error:
            named = {}
            problems.append(str(error))
        if ranking is not None and self.episode is episode:
            notes = note_entries(record.header, episode.steps, problems)
            judged = named.get((record.header.run, record.header.episode), ())
            for rows in self.query("#notes").results(TextRows):  # none where one has left meanwhile
                rows.entries = [*decisive_entries(ranking, judged), *notes]

    def _begin_where_something_is(self) -> None:
        """Where no page was recorded the picture comes to the front, else the list of steps."""
        if any(step.observation for step in self.scrubbing.steps):
            return
        if self.scrubbing.has_pictures:
            self.show_pane("picture")
        else:
            self.action_panel("steps")

    def _show_without_steps(self, episode: RecordedEpisode) -> None:
        """What is known all the same: the task, the score, and what came with it."""
        header = episode.trajectory.header
        self.page.show_none(NO_STEPS, header)
        self.query_one(ScoreTree).score = header.score
        self.query_one("#model", TextRows).empty_text = NO_STEPS
        self.action_panel("score")

    # -- scrubbing -----------------------------------------------------------------------------

    def show_place(self, place: int, node: int | None = None) -> None:
        """Show the step at a place; `node` is then looked up on its page."""
        if self.episode is None or not self.episode.steps:
            return
        self.scrubbing.move(place)
        self._show_step(self.episode)
        self.page.show(node)
        self.html.show_soon()

    def _show_step(self, episode: RecordedEpisode) -> None:
        """What is known of the step without looking at a page."""
        place = self.scrubbing.place
        self.query_one(StepsPanel).steps.cursor = place
        self.query_one(ScoreTree).score = episode.score(place)
        entries = model_entries(episode.steps[place], self.scrubbing.profile)
        self.query_one("#model", TextRows).entries = entries
        self.query_one(TimeStrip).place = place
        self.query_one(Filmstrip).show(episode, self.scrubbing.page_place)
        self.difference.show()

    def action_scrub(self, steps: int) -> None:
        self.show_place(self.scrubbing.place + steps)

    def action_first_step(self) -> None:
        self.show_place(0)

    def action_last_step(self) -> None:
        self.show_place(len(self.scrubbing.steps) - 1)

    def action_turn_side(self) -> None:
        """From the page before the action to the one after it, and back."""
        self.scrubbing.turn(before=not self.scrubbing.before)
        self.show_place(self.scrubbing.place)

    # -- from the panes ------------------------------------------------------------------------

    def on_step_list_step_focused(self, message: StepList.StepFocused) -> None:
        place = message.steps.cursor
        if message.steps.has_focus and place != self.scrubbing.place:
            self.show_place(place)

    def on_time_strip_place_chosen(self, message: TimeStrip.PlaceChosen) -> None:
        self.show_place(message.place)

    def on_filmstrip_place_chosen(self, message: Filmstrip.PlaceChosen) -> None:
        self.show_place(message.place)

    def on_difference_list_node_chosen(self, message: DifferenceList.NodeChosen) -> None:
        """Show the node on the side of the step on which it is."""
        node = message.row.node
        if node is None:
            return
        self.scrubbing.turn(before=message.row.kind == "removed")
        self.page.show(node.id)

    def on_match_list_match_chosen(self, message: MatchList.MatchChosen) -> None:
        self.search.show(message.match)

    def action_go_to_step(self) -> None:
        last = self.episode.steps[-1].index if self.episode and self.episode.steps else 0

        def given(text: str | None) -> None:
            if text is None or self.episode is None:
                return
            place = self.episode.place_of(int(text)) if text.strip().isdecimal() else None
            if place is None:
                self.notify(f"Steps are numbers from 0 to {last}.", markup=False)
                return
            self.show_place(place)

        self.app.push_screen(TextPrompt(f"Which step, 0 to {last}?"), given)

    def action_task(self) -> None:
        if self.episode is not None:
            task = self.episode.trajectory.header.task
            self.app.push_screen(ReadingScreen(f"{task.benchmark} {task.id}", task_entries(task), task))

    def action_focus_time(self) -> None:
        self.query_one(TimeStrip).focus()

    def action_editor(self) -> None:
        """What no panel has room for: the whole prompt, the whole page."""
        if self.episode is None or self.step is None:
            return
        page = self.episode.look(self.episode.steps[self.scrubbing.page_place])
        words = self.episode.words(self.scrubbing.place)
        read_in_editor(self, f"step-{self.step.index}.txt", whole_step(self.step, words, page))

    async def action_reload(self) -> None:
        await self.open_episode(self.step.index if self.step is not None else None)

    def action_search(self) -> None:
        self.search.ask()

    def action_next_match(self, rows: int) -> None:
        self.search.next_match(rows)

    # -- other episodes ------------------------------------------------------------------------

    def action_neighbour(self, rows: int) -> None:
        """The next episode of the list that this one was opened from."""
        folder = self.scrubbing.folder
        at = self._among.index(folder) + rows if folder in self._among else -1
        if not 0 <= at < len(self._among):
            told = "There is no other episode on that side of the list."
            self.notify(told if self._among else "It was opened alone.", markup=False)
            return
        go_to(self, Trajectory(self.opening, self._among[at], among=self._among), instead=True)

    def action_origin(self) -> None:
        """What this episode was forked from, at that step."""
        origin = self.episode.trajectory.header.origin if self.episode is not None else None
        if origin is None:
            self.notify("This episode is no fork.", markup=False)
            return
        open_trajectory(self, self.scrubbing.store.root / origin.run / origin.episode, origin.step)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id == "trajectory.origin":
            return self.episode is not None and self.episode.trajectory.header.origin is not None
        return id != "steps.detail"

    # -- leaving -------------------------------------------------------------------------------

    def action_compare(self) -> None:
        """Compare with another attempt at the task."""
        at = self.scrubbing
        run_worker(self, partial(compare_with_others, self, at.store, at.folder), exclusive=True)

    def action_step_outside(self) -> None:
        """Open the step that is shown in a browser."""
        self.outside.ask()

    def _recorded_html(self) -> RecordedHtml | None:
        episode = self.episode
        if episode is None or not episode.steps:
            return None
        step = episode.steps[self.scrubbing.page_place]
        store, header = self.scrubbing.store.root, episode.trajectory.header
        return RecordedHtml(store, header, step, lambda: episode.look(step))

    def _step_seen(self) -> StepPlace | None:
        """The step whose page is shown: with `b` that is the one before."""
        if not self.scrubbing.steps:
            return None
        return self.scrubbing.folder, self.scrubbing.steps[self.scrubbing.page_place].index

    def action_fork(self) -> None:
        """Go on live from the page that is shown."""
        self.forking.ask()

    def action_label(self) -> None:
        """Label the step that is shown."""
        from webbench.core.people.labelling.worksheet import LabellingOrder

        folder = self.scrubbing.folder
        place = (folder.parent.name, folder.name)
        step = self.step.index if self.step is not None else None
        go_to(self, Labelling(self.scrubbing.store.root, LabellingOrder(places=(place,), step=step)))

    def action_new_code(self) -> None:
        """A code that is not in the codebook yet, given to the step that is shown."""
        self.coding.new_code()

    def action_in_vivo(self) -> None:
        self.coding.in_vivo()

    def action_memo(self) -> None:
        self.coding.memo()

    def _place(self) -> tuple[Path, int | None] | None:
        return (self.scrubbing.folder, self.step.index) if self.step is not None else None

    def action_back(self) -> None:
        go_back(self)
