"""A recorded episode, step by step: the stepper's panes, read-only."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import ContentSwitcher

from webbench.core.analysis.recorded.search import Match
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.destinations import Labelling, Trajectory, go_to, open_trajectory
from webbench.tui.screens.dialogs.attempt_choice import compare_with_others
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen, read_in_editor
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.trajectory.episode_title import TrajectoryTitle
from webbench.tui.screens.trajectory.filmstrip import Filmstrip
from webbench.tui.screens.trajectory.fork import Forking
from webbench.tui.screens.trajectory.match_list import MatchList
from webbench.tui.screens.trajectory.panels import whole_step
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lines.time_strip import TimeStrip
from webbench.tui.widgets.lists.conversation import Conversation
from webbench.tui.widgets.lists.difference_list import DifferenceList
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.steps_panel import StepsPanel
from webbench.tui.widgets.lists.task_preview import task_entries
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.picture.recorded_picture import RecordedPicture
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.recorded_tree import RecordedTree
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

MOST_FOUND = 2_000
SHORT = {
    "model": "Model",
    "steps": "Steps",
    "difference": "Changes",
    "score": "Score",
    "messages": "Log",
    "notes": "Notes",
    "conversation": "Talk",
    "found": "Found",
}
"""The side panels by their names in the pane bar."""


class TrajectoryScreen(Forking):
    """Arrows scrub, `b` turns from the page before the action to the one after it."""

    CSS_PATH: ClassVar[str | Path] = stylesheet("panes")
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
        self, opening: Opening, episode: Path, step: int | None = None, among: Sequence[Path] = ()
    ) -> None:
        """`step` is the index of the step to open at; None opens at the first action.

        `among` are the episodes of the list it was opened from, this one among them.
        """
        super().__init__(opening.store, episode)
        self.opening = opening
        self._opened_at = step
        self._among = tuple(among)

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
        self.place_film()

    def show_panel(self, name: str) -> None:
        super().show_panel(name)
        if name == "difference":
            self._show_difference()

    # -- from the panes ------------------------------------------------------------------------

    def on_step_list_step_focused(self, message: StepList.StepFocused) -> None:
        place = message.steps.cursor
        if message.steps.has_focus and place != self.place:
            self.go_to(place)

    def on_time_strip_place_chosen(self, message: TimeStrip.PlaceChosen) -> None:
        self.go_to(message.place)

    def on_filmstrip_place_chosen(self, message: Filmstrip.PlaceChosen) -> None:
        self.go_to(message.place)

    def on_difference_list_node_chosen(self, message: DifferenceList.NodeChosen) -> None:
        """Show the node on the side of the step on which it is."""
        node = message.row.node
        if node is None:
            return
        before = message.row.kind == "removed"
        if before != self.before:
            self.before = before
        self._node_wanted = node.id
        self._show_page()

    def action_go_to_step(self) -> None:
        last = self.episode.steps[-1].index if self.episode and self.episode.steps else 0

        def given(text: str | None) -> None:
            if text is None or self.episode is None:
                return
            place = self.episode.place_of(int(text)) if text.strip().isdecimal() else None
            if place is None:
                self.notify(f"Steps are numbers from 0 to {last}.", markup=False)
                return
            self.go_to(place)

        self.app.push_screen(TextPrompt(f"Which step, 0 to {last}?"), given)

    def action_task(self) -> None:
        if self.episode is not None:
            task = self.episode.trajectory.header.task
            self.app.push_screen(ReadingScreen(f"{task.benchmark} {task.id}", task_entries(task)))

    def action_focus_time(self) -> None:
        self.query_one(TimeStrip).focus()

    def action_editor(self) -> None:
        """What no panel has room for: the whole prompt, the whole page."""
        if self.episode is None or self.step is None:
            return
        page = self.episode.look(self.episode.steps[self.page_place])
        read_in_editor(
            self, f"step-{self.step.index}.txt", whole_step(self.step, self.episode.words(self.place), page)
        )

    async def action_reload(self) -> None:
        await self.open_episode(self.step.index if self.step is not None else None)

    # -- looking for a text --------------------------------------------------------------------

    def action_search(self) -> None:
        def given(query: str | None) -> None:
            if query and query.strip():
                run_worker(self, partial(self._search, query), group="search", exclusive=True)

        question = "Look for what? Actions, reasoning, replies, prompts, notes and pages are searched."
        self.app.push_screen(TextPrompt(question), given)

    async def _search(self, query: str) -> None:
        episode = self.episode
        if episode is None:
            return

        def look() -> list[Match]:
            return list(islice(episode.search(query), MOST_FOUND + 1))

        found = await asyncio.to_thread(look)
        self.action_panel("found")
        self.query_one(MatchList).show(query, found[:MOST_FOUND], more=len(found) > MOST_FOUND)
        if found:
            self._show_match(found[0])

    def action_next_match(self, rows: int) -> None:
        found = self.query_one(MatchList)
        if not found.matches:
            says = shown_key(self.app, "trajectory.search")
            self.notify(f"Nothing to go to: {says} looks for a text.", markup=False)
            return
        found.cursor = (found.cursor + rows) % len(found.matches)

    def on_match_list_match_chosen(self, message: MatchList.MatchChosen) -> None:
        self._show_match(message.match)

    def _show_match(self, match: Match) -> None:
        """What stands on a page is shown on the page after the step that led to it."""
        place = self.episode.place_of(match.step) if self.episode is not None else None
        if place is not None:
            self.before = match.node is None
            self.go_to(place, node=match.node)

    # -- other episodes ------------------------------------------------------------------------

    def action_neighbour(self, rows: int) -> None:
        """The next episode of the list that this one was opened from."""
        at = self._among.index(self.folder) + rows if self.folder in self._among else -1
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
        open_trajectory(self, self.store.root / origin.run / origin.episode, origin.step)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id == "trajectory.origin":
            return self.episode is not None and self.episode.trajectory.header.origin is not None
        return id != "steps.detail"

    # -- leaving -------------------------------------------------------------------------------

    def action_compare(self) -> None:
        """Compare with another attempt at the task."""
        run_worker(self, partial(compare_with_others, self, self.store, self.folder), exclusive=True)

    def action_label(self) -> None:
        """Label the step that is shown."""
        from webbench.core.people.labelling.worksheet import LabellingOrder

        place = (self.folder.parent.name, self.folder.name)
        step = self.step.index if self.step is not None else None
        go_to(self, Labelling(self.store.root, LabellingOrder(places=(place,), step=step)))

    def action_back(self) -> None:
        go_back(self)
