"""One actor in the chosen row of a comparison: its page, picture, checks or step, whichever is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import ContentSwitcher, Static

from webbench.core.action.aim import Aim
from webbench.core.analysis.recorded.recorded_episode import Frame
from webbench.core.observation import Observation
from webbench.core.score.score import Score
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import Step
from webbench.tui.pictures.detect import Graphics
from webbench.tui.widgets.lists.steps_panel import step_entries
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.widgets.picture.recorded_picture import AimMark, RecordedPicture
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.read_tree import ReadTree


@dataclass(frozen=True, slots=True)
class ActorView:
    """What a pane shows.

    Attributes:
        name: of the actor.
        where: which of its pages, in words: "before step 3".
        what: what it does there, "" where nothing.
        step: the step of the row, None where it has none.
        labels: what people said of it.
        frame: the page, None where no step recorded one.
        aim: where the step's action pointed on it.
        score_words: of which step the score is.
    """

    name: str
    where: str
    what: str
    step: Step | None
    labels: tuple[str, ...]
    frame: Frame | None
    aim: Aim
    score: Score | None
    score_words: str


class ActorPane(Container):
    """Two lines of words above a `ContentSwitcher`. Give it a `view`."""

    DEFAULT_CSS = """
    ActorPane {
        layout: vertical;
        width: 1fr;
        height: 1fr;
        & > .actor-pane--head { height: 2; padding: 0 1; color: $foreground-muted; background: $panel; }
        & > ContentSwitcher { height: 1fr; }
    }
    """

    def __init__(self, graphics: Graphics, **names: Any) -> None:
        super().__init__(**names)
        self._head = Static(markup=False, classes="actor-pane--head")
        self._tree = ReadTree(id="tree")
        self._picture = RecordedPicture(graphics, id="picture")
        self._checks = ScoreTree(id="checks")
        self._step = TextRows(id="step")

    def compose(self) -> ComposeResult:
        yield self._head
        with ContentSwitcher(initial="tree"):
            yield self._tree
            yield self._picture
            yield self._checks
            yield self._step

    def on_mount(self) -> None:
        self._checks.empty_text = "No score was recorded up to here."
        self._step.empty_text = "This actor has no step in this row."
        self._step.border_title = Content("Step")
        self._picture.clear("Reading…")

    def show_panel(self, name: str) -> None:
        """One of tree, picture, checks, step."""
        self.query_one(ContentSwitcher).current = name

    def focus_panel(self) -> None:
        current = self.query_one(ContentSwitcher).current
        self.query_one(f"#{current}").focus()

    def show(self, view: ActorView, *, chosen: bool) -> None:
        """Show an actor's page, picture, score and step."""
        name = Content.styled(plain_text(view.name, limit=80), "bold $text-accent" if chosen else "bold")
        where = Content(f"  {view.where}")
        what = Content(plain_text(view.what, limit=300))
        self._head.update(Content("\n").join([name + where, what]))
        self._show_page(view)
        self._show_score(view)
        told = [Entry("in words", view.what, "strong"), *(Entry("label", one, "bad") for one in view.labels)]
        self._step.entries = [*told, *step_entries(view.step)] if view.step is not None else ()
        self._step.border_subtitle = Content("" if view.step is None else f"step {view.step.index}")

    def _show_page(self, view: ActorView) -> None:
        frame = view.frame
        problem = plain_text(" ".join(frame.problems), limit=400) if frame is not None else ""
        page = (frame.observation if frame is not None else None) or Observation()
        self._tree.empty_text = problem or ReadTree.empty_text
        self._tree.observation = page
        if view.aim.node is not None and page.node(view.aim.node) is not None:
            self._tree.focus_id(view.aim.node)
        self._picture.observation = page
        verb = type(view.step.action).__name__.lower() if view.step is not None and view.step.action else ""
        self._picture.mark = AimMark(view.aim, verb) if view.aim.known else AimMark()
        shot = frame.screenshot if frame is not None else None
        if shot is None:
            self._picture.clear(problem or "No picture was recorded here.")
        else:
            self._picture.show(shot.data, scale=shot.scale, full_page=shot.full_page, origin=shot.origin)

    def _show_score(self, view: ActorView) -> None:
        self._checks.reset()
        self._checks.score = view.score
        if view.score is not None:
            self._checks.border_title = Content(f"Score {view.score_words}")
