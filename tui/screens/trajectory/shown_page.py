"""The page that is shown of a recorded episode: tree, picture with the action marked on it, and title."""

from __future__ import annotations

from textual.screen import Screen

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.episode.utterances import conversation
from webbench.core.errors import WebbenchError
from webbench.core.labels.corrections import corrected
from webbench.core.labels.ledger import ledger_of
from webbench.core.text.no_value import or_blank
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader, Trajectory
from webbench.tui.pictures.frames import DecodedFrame, Frames
from webbench.tui.screens.trajectory.episode_title import Shown, TrajectoryTitle
from webbench.tui.screens.trajectory.scrubbing import Scrubbing
from webbench.tui.widgets.lists.conversation import Conversation
from webbench.tui.widgets.picture.recorded_picture import AimMark, RecordedPicture
from webbench.tui.widgets.tree.recorded_tree import RecordedTree
from webbench.tui.workers import run_worker

NO_PICTURE = "No screenshot was recorded at this step."
NO_PICTURES = "This episode has no screenshots: its source kept none."


class ShownPage:
    """Reads the pages around the one that is wanted, and shows that one when it is there."""

    def __init__(self, screen: Screen[None], scrubbing: Scrubbing) -> None:
        self._screen = screen
        self._scrubbing = scrubbing
        self._frames: Frames | None = None
        self._node_wanted: int | None = None
        self._correction = ""

    def open(self, episode: RecordedEpisode) -> None:
        """Begin with an episode; what was read of another one is let go."""
        self._correction = self._corrected(episode.trajectory)
        if episode.steps:
            self._frames = Frames(episode, self._arrived)
            run_worker(self._screen, self._frames.keep_reading, group="frames", exclusive=True)

    def _corrected(self, trajectory: Trajectory) -> str:
        """The score as people correct it, "" where nobody disputes it."""
        score, folder = trajectory.header.score, self._scrubbing.folder
        scored = score.value if score is not None else None
        try:
            book = ledger_of(self._scrubbing.store).book()
        except WebbenchError as error:
            told = plain_text(str(error), limit=300)
            self._screen.notify(told, severity="warning", markup=False)
            return ""
        verdict = corrected(book, folder.parent.name, folder.name, scored)
        return or_blank(verdict.corrected) if verdict.is_disputed else ""

    def show(self, node: int | None = None) -> None:
        """Show the page that is scrubbed to, at once or when it is read; `node` is looked up on it."""
        self._node_wanted = node
        decoded = self._frames.want(self._scrubbing.page_place) if self._frames is not None else None
        if decoded is not None:
            self._show(decoded)

    def show_none(self, why: str, header: EpisodeHeader | None = None) -> None:
        """There is no page: say why, and whose where that is known all the same."""
        self._screen.query_one(RecordedTree).show_page(None, plain_text(why, limit=400))
        self._screen.query_one(RecordedPicture).clear(why)
        title = self._screen.query_one(TrajectoryTitle)
        if header is None:
            title.say(why)
        else:
            title.show(Shown(header, None, 0, why, "", "", pictures=False, correction=self._correction))

    def _arrived(self, decoded: DecodedFrame) -> None:
        if decoded.frame.place == self._scrubbing.page_place:
            self._show(decoded)

    def _show(self, decoded: DecodedFrame) -> None:
        frame, tree = decoded.frame, self._screen.query_one(RecordedTree)
        observation = frame.observation
        tree.show_page(observation, "; ".join(frame.problems))
        if observation is not None:
            at = self._scrubbing
            assert at.episode is not None
            header, so_far = at.episode.trajectory.header, at.steps[: at.place + 1]
            self._screen.query_one(Conversation).turns = conversation(header, observation.dialogue, so_far)
        picture = self._screen.query_one(RecordedPicture)
        if observation is not None:
            picture.observation = observation
        if decoded.image is not None and frame.screenshot is not None:
            picture.show_decoded(frame.screenshot, decoded.image)
        else:
            none = NO_PICTURE if self._scrubbing.has_pictures else NO_PICTURES
            picture.clear(decoded.trouble or none)
        self._mark_action(picture, tree)
        self._show_title()

    def _mark_action(self, picture: RecordedPicture, tree: RecordedTree) -> None:
        """Where the action pointed; on the page after it, its element where that is still there."""
        at = self._scrubbing
        assert at.episode is not None
        aimed = at.episode.aim(at.place)
        action = at.steps[at.place].action
        word = type(action).__name__.lower() if action is not None else ""
        wanted = self._node_wanted if self._node_wanted is not None else aimed.node
        picture.mark = AimMark(aimed, word) if at.before and aimed.known else AimMark()
        if wanted is not None and tree.observation.node(wanted) is not None:
            tree.focus_id(wanted)
        if wanted is None or tree.observation.node(wanted) is None:
            picture.focused_id = None

    def _show_title(self) -> None:
        at = self._scrubbing
        assert at.episode is not None
        shown = Shown(
            header=at.episode.trajectory.header,
            step=at.step,
            last=at.steps[-1].index,
            words=at.episode.words(at.place),
            side=at.side,
            url=at.steps[at.page_place].url,
            pictures=at.has_pictures,
            correction=self._correction,
        )
        self._screen.query_one(TrajectoryTitle).show(shown)
