"""One recorded episode, looked at step by step: what was seen before and after, and what that changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from webbench.core.action.aim import Aim, aim
from webbench.core.analysis.recorded.observation_difference import (
    ObservationDifference,
    observation_difference,
)
from webbench.core.analysis.recorded.search import Match, done_words, search_trajectory
from webbench.core.errors import BadData
from webbench.core.observation import Observation, Screenshot
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What is recorded of the page after one step.

    Attributes:
        place: position of the step in the trajectory, from 0.
        observation: None where none was recorded, or where it can't be read (`problems` says so).
    """

    place: int
    step: Step
    observation: Observation | None = None
    screenshot: Screenshot | None = None
    problems: tuple[str, ...] = ()


KEPT = 12
"""Observations that stay at hand: one is asked for its tree, its words, its aims and its differences."""


class RecordedEpisode:
    """Reads frames from the store, from any thread; only the latest observations are kept.

    Args:
        store: where the blobs are.
        trajectory: the episode, as `Store.load` gives it.

    Example:
        >>> import webbench as wb
        >>> episode = wb.Store().recorded("2026-11-21_22-14-05_demo_oracle_ab12/0000_camp-mugs_wp6k")
        >>> [episode.words(place) for place in (0, 1, 4)]
        ['the start', 'click button "Only necessary"', 'check radio "Cream"']
        >>> episode.frame(1).observation.title
        'Harbour & Pine'
    """

    def __init__(self, store: Store, trajectory: Trajectory) -> None:
        self.store = store
        self.trajectory = trajectory
        self.steps = trajectory.steps
        self._seen_before = _places_before(self.steps)
        self._recent: OrderedDict[str, Observation] = OrderedDict()
        self._lock = threading.Lock()

    def place_of(self, index: int) -> int | None:
        """Position of the step with this index, None where there is none."""
        return next((place for place, step in enumerate(self.steps) if step.index == index), None)

    def before(self, place: int) -> int | None:
        """Position of the step whose page the actor had before it when it acted, None at the start."""
        return self._seen_before[place]

    def after(self, place: int) -> int:
        """Position of the step whose page there was after this one: its own, or an earlier one's."""
        before = self._seen_before[place]
        return place if before is None or _about_page(self.steps[place]) else before

    def frame(self, place: int, *, picture: bool = True) -> Frame:
        """Read what was seen after a step; never raises for a damaged record, `problems` tells."""
        step = self.steps[place]
        problems: list[str] = []
        observation: Observation | None = None
        screenshot: Screenshot | None = None
        try:
            observation = self._read(step)
        except BadData as error:
            problems.append(str(error))
        try:
            screenshot = self.store.screenshot(self.trajectory, step) if picture else None
        except BadData as error:
            problems.append(str(error))
        return Frame(
            place=place,
            step=step,
            observation=observation,
            screenshot=screenshot,
            problems=tuple(problems),
        )

    def look(self, step: Step) -> Observation | None:
        """What was seen after a step, None where that isn't recorded or can't be read."""
        try:
            return self._read(step)
        except BadData:
            return None

    def _read(self, step: Step) -> Observation | None:
        if not step.observation:
            return None
        with self._lock:
            kept = self._recent.get(step.observation)
            if kept is not None:
                self._recent.move_to_end(step.observation)
                return kept
        seen = self.store.observation(self.trajectory, step)
        with self._lock:
            self._recent[step.observation] = seen
            if len(self._recent) > KEPT:
                self._recent.popitem(last=False)
        return seen

    def seen_before(self, place: int) -> Observation | None:
        """The page that the actor acted on."""
        before = self.before(place)
        return None if before is None else self.look(self.steps[before])

    def difference(self, place: int) -> ObservationDifference:
        """What the step changed on the page. At the start everything is new."""
        before = self.before(place)
        after = self.look(self.steps[place])
        if before is None:
            return observation_difference(Observation() if after is not None else None, after)
        if self.after(place) != place:
            return observation_difference(None, None)
        return observation_difference(self.look(self.steps[before]), after)

    def aim(self, place: int) -> Aim:
        """Where the step's action pointed, on the page before it."""
        return aim(self.steps[place].action, self.seen_before(place) or Observation())

    def words(self, place: int) -> str:
        """What the actor did at the step, in words."""
        return done_words(self.steps[place], self.seen_before(place) or Observation())

    def score(self, place: int) -> Score | None:
        """The score at the step: its own, at the last step the episode's; None where none was taken."""
        own = self.steps[place].score
        final = self.trajectory.header.score
        given_later = final is not None and final.later is not None
        return final if place == len(self.steps) - 1 and (own is None or given_later) else own

    def search(self, query: str) -> Iterator[Match]:
        """Every place that holds the query (see `search_trajectory`)."""
        return search_trajectory(self.trajectory, query, self.look)


def _places_before(steps: tuple[Step, ...]) -> list[int | None]:
    """For every step the latest earlier one that was about a page, recorded or not."""
    found: list[int | None] = []
    latest: int | None = None
    for place, step in enumerate(steps):
        found.append(latest)
        if _about_page(step):
            latest = place
    return found


def _about_page(step: Step) -> bool:
    """Whether it has a page of its own: notes have none, nor what had no effect, unless one was recorded.

    After an action whose page wasn't recorded nobody knows what was seen; an earlier page would mislead.
    """
    recorded = bool(step.observation or step.screenshot or step.url)
    return recorded or (step.ok and bool(step.action is not None or step.text))
