"""Scrubbing through a recorded episode: which step is shown, from which side, and what the panes say."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from textual.widgets import ContentSwitcher

from webbench.core.analysis.recorded.observation_difference import ObservationDifference
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.time_profile import TimeProfile, time_profile
from webbench.core.errors import WebbenchError
from webbench.core.labels.corrections import corrected
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step, Trajectory
from webbench.tui.pictures.frames import DecodedFrame, Frames
from webbench.tui.screens.page_panes import PANES, PagePanes
from webbench.tui.screens.trajectory.episode_title import Shown, TrajectoryTitle
from webbench.tui.screens.trajectory.filmstrip import Filmstrip
from webbench.tui.screens.trajectory.panels import model_entries, note_entries
from webbench.tui.widgets.lines.time_strip import TimeStrip
from webbench.tui.widgets.lists.conversation import Conversation
from webbench.tui.widgets.lists.difference_list import DifferenceList
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.steps_panel import StepsPanel
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.picture.recorded_picture import AimMark, RecordedPicture
from webbench.tui.widgets.score.figures_so_far import result_text
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.recorded_tree import RecordedTree
from webbench.tui.workers import run_worker

NO_PICTURE = "No screenshot was recorded at this step."
NO_PICTURES = "This episode has no screenshots: its source kept none."
NO_STEPS = "No step of this episode was recorded."
NO_MESSAGES = "No messages of the page were recorded."
FILM_FROM = (150, 40)
"""Columns and rows from which the filmstrip has room."""


class RecordedFrames(PagePanes):
    """One episode, opened at one step. The page before the action is shown first: what the actor saw."""

    def __init__(self, store: Path, episode: Path) -> None:
        super().__init__()
        self.store = Store(store)
        self.folder = episode
        self.episode: RecordedEpisode | None = None
        self.profile: TimeProfile = time_profile(())
        self.place = 0
        self.before = True
        self._frames: Frames | None = None
        self._differences: dict[int, ObservationDifference] = {}
        self._node_wanted: int | None = None
        self._correction = ""

    @property
    def step(self) -> Step | None:
        """The step that is shown."""
        return self.episode.steps[self.place] if self.episode and self.episode.steps else None

    @property
    def has_pictures(self) -> bool:
        return self.episode is not None and any(step.screenshot for step in self.episode.steps)

    def place_film(self) -> None:
        """The filmstrip stands where there is room; without any picture their pane goes too."""
        columns, rows = self.size
        self.set_class(self.episode is not None and not self.has_pictures, "-without-pictures")
        drawn = self.has_pictures and self.query_one(RecordedPicture).graphics.mode != "text"
        self.set_class(drawn and columns >= FILM_FROM[0] and rows >= FILM_FROM[1], "-film")

    # -- opening -------------------------------------------------------------------------------

    async def open_episode(self, at: int | None = None) -> None:
        """Read the record in a thread, then show the step with this index (the first action, if None)."""
        try:
            trajectory = await asyncio.to_thread(self.store.load, self.folder)
        except WebbenchError as error:
            self._say_nothing(str(error))
            return
        first = self.episode is None
        self.episode = RecordedEpisode(self.store, trajectory)
        self._correction = self._corrected(trajectory)
        self.profile = time_profile(trajectory.steps)
        if not trajectory.steps:
            self._show_without_steps(self.episode)
            return
        self._frames = Frames(self.episode, self._frame_arrived)
        run_worker(self, self._frames.keep_reading, group="frames", exclusive=True)
        self._fill_panels(self.episode)
        self.place_film()
        if first:
            self._begin_where_something_is()
        self._differences.clear()
        if trajectory.problems:
            told = f"{counted(len(trajectory.problems), 'part')} of the record can't be read: see the notes."
            self.notify(told, severity="warning", markup=False)
        place = self.episode.place_of(at) if at is not None else None
        if at is not None and place is None:
            self.notify(f"There is no step {at}.", severity="warning", markup=False)
        self.go_to(min(1, len(trajectory.steps) - 1) if place is None else place)

    def _begin_where_something_is(self) -> None:
        """Where no page was recorded the picture comes to the front, else the list of steps."""
        if self.episode is None or any(step.observation for step in self.episode.steps):
            return
        if self.has_pictures:
            self.show_pane("picture")
        else:
            self.action_panel("steps")

    def _corrected(self, trajectory: Trajectory) -> str:
        """The score as people correct it, "" where nobody disputes it."""
        score = trajectory.header.score
        scored = score.value if score is not None else None
        try:
            book = ledger_of(self.store).book()
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=300), severity="warning", markup=False)
            return ""
        verdict = corrected(book, self.folder.parent.name, self.folder.name, scored)
        return result_text(verdict.corrected) if verdict.is_disputed else ""

    def _show_without_steps(self, episode: RecordedEpisode) -> None:
        """What is known all the same: the task, the score, and what came with it."""
        header = episode.trajectory.header
        self._fill_panels(episode)
        self.place_film()
        self._say_nothing(NO_STEPS)
        self.query_one(ScoreTree).score = header.score
        self.query_one("#model", TextRows).empty_text = NO_STEPS
        shown = Shown(header, None, 0, NO_STEPS, "", "", pictures=False, correction=self._correction)
        self.query_one(TrajectoryTitle).show(shown)
        self.action_panel("score")

    def _say_nothing(self, why: str) -> None:
        self.query_one(TrajectoryTitle).say(why)
        self.query_one(RecordedTree).show_page(None, plain_text(why, limit=400))
        self.query_one(RecordedPicture).clear(why)

    def _fill_panels(self, episode: RecordedEpisode) -> None:
        """What doesn't change while one scrubs."""
        self.query_one(StepsPanel).steps.steps = episode.steps
        self.query_one(TimeStrip).profile = self.profile
        log = self.query_one(MessagesLog)
        log.empty_text = NO_MESSAGES
        log.clear()
        for step in episode.steps:
            if step.messages:
                log.extend(step.index, step.messages)
        header = episode.trajectory.header
        self.query_one("#notes", TextRows).entries = note_entries(
            header, episode.steps, episode.trajectory.problems
        )

    # -- scrubbing -----------------------------------------------------------------------------

    def go_to(self, place: int, *, node: int | None = None) -> None:
        """Show the step at a place; `node` is then looked up on its page."""
        if self.episode is None or not self.episode.steps:
            return
        self.place = max(0, min(place, len(self.episode.steps) - 1))
        self._node_wanted = node
        self._show_step(self.episode)
        self._show_page()

    def action_turn_pane(self, step: int) -> None:
        """The next pane; that for pictures is left out where there are none."""
        hidden = "picture" if self.has_class("-without-pictures") and not self.narrow else ""
        panes = [pane for pane in PANES if pane != hidden]
        self.note_pane()
        self.show_pane(panes[(panes.index(self._pane) + step) % len(panes)])

    def action_scrub(self, steps: int) -> None:
        self.go_to(self.place + steps)

    def action_first_step(self) -> None:
        self.go_to(0)

    def action_last_step(self) -> None:
        self.go_to(len(self.episode.steps) - 1 if self.episode else 0)

    def action_turn_side(self) -> None:
        """From the page before the action to the one after it, and back."""
        self.before = not self.before
        self.go_to(self.place)

    @property
    def page_place(self) -> int:
        """Place of the step whose page is shown: the one before the action, or the one after it."""
        if self.episode is None:
            return 0
        earlier = self.episode.before(self.place) if self.before else None
        return self.episode.after(self.place) if earlier is None else earlier

    def _show_step(self, episode: RecordedEpisode) -> None:
        """What is known of the step without looking at a page."""
        step = episode.steps[self.place]
        steps = self.query_one(StepsPanel).steps
        steps.cursor = self.place
        self.query_one(ScoreTree).score = episode.score(self.place)
        self.query_one("#model", TextRows).entries = model_entries(step, self.profile)
        self.query_one(TimeStrip).place = self.place
        self.query_one(Filmstrip).show(episode, self.page_place)
        self._show_difference()

    def _show_page(self) -> None:
        decoded = self._frames.want(self.page_place) if self._frames is not None else None
        if decoded is not None:
            self._show_frame(decoded)

    def _frame_arrived(self, decoded: DecodedFrame) -> None:
        if decoded.frame.place == self.page_place:
            self._show_frame(decoded)

    def _show_frame(self, decoded: DecodedFrame) -> None:
        frame, tree = decoded.frame, self.query_one(RecordedTree)
        observation = frame.observation
        tree.show_page(observation, "; ".join(frame.problems))
        if observation is not None:
            self.query_one(Conversation).turns = observation.dialogue
        picture = self.query_one(RecordedPicture)
        if observation is not None:
            picture.observation = observation
        if decoded.image is not None and frame.screenshot is not None:
            picture.show_decoded(frame.screenshot, decoded.image)
        else:
            picture.clear(decoded.trouble or (NO_PICTURE if self.has_pictures else NO_PICTURES))
        self._mark_action(picture, tree)
        self._show_title()

    def _mark_action(self, picture: RecordedPicture, tree: RecordedTree) -> None:
        """Where the action pointed; on the page after it, its element where that is still there."""
        assert self.episode is not None
        aimed = self.episode.aim(self.place)
        step = self.episode.steps[self.place]
        word = type(step.action).__name__.lower() if step.action is not None else ""
        wanted = self._node_wanted if self._node_wanted is not None else aimed.node
        picture.mark = AimMark(aimed, word) if self.before and aimed.known else AimMark()
        if wanted is not None and tree.observation.node(wanted) is not None:
            tree.focus_id(wanted)
        if wanted is None or tree.observation.node(wanted) is None:
            picture.focused_id = None

    def _show_title(self) -> None:
        assert self.episode is not None
        step, page = self.episode.steps[self.place], self.episode.steps[self.page_place]
        shown = Shown(
            header=self.episode.trajectory.header,
            step=step,
            last=self.episode.steps[-1].index,
            words=self.episode.words(self.place),
            side=self._side(step, page),
            url=page.url,
            pictures=self.has_pictures,
            correction=self._correction,
        )
        self.query_one(TrajectoryTitle).show(shown)

    def _side(self, step: Step, page: Step) -> str:
        """Which page is shown, in words."""
        if page is step:
            return "after the action" if step.index else "the start"
        return "before the action" if self.before else f"as after step {page.index}"

    # -- the difference ------------------------------------------------------------------------

    def _show_difference(self) -> None:
        """Compared only where it is looked at: two pages have to be read for it."""
        shown = self.query_one(DifferenceList)
        if self.step is None:
            shown.empty_text = NO_STEPS
            return
        known = self._differences.get(self.place)
        shown.show(known)
        if known is None and self.query_one(ContentSwitcher).current == "difference":
            run_worker(self, partial(self._compare, self.place), group="difference", exclusive=True)

    async def _compare(self, place: int) -> None:
        if self.episode is None:
            return
        found = await asyncio.to_thread(self.episode.difference, place)
        self._differences[place] = found
        if place == self.place:
            self.query_one(DifferenceList).show(found)
