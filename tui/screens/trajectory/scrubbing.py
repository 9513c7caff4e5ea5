"""Scrubbing through a recorded episode: which of its steps is shown, and the page on which side of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.time_profile import TimeProfile, time_profile
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

NO_STEPS = "No step of this episode was recorded."


class Scrubbing:
    """A record, and where in it one is; the parts of its screen share it.

    The page before the action is shown first: what the actor saw.
    """

    def __init__(self, store: Path, folder: Path) -> None:
        self.store = Store(store)
        self.folder = folder
        self.episode: RecordedEpisode | None = None
        """None until it is read."""
        self.profile: TimeProfile = time_profile(())
        self.place = 0
        """Of the step that is shown."""
        self.before = True
        """Whether the page before the action is shown, else the one after it."""

    async def read(self) -> RecordedEpisode:
        """The record as it is now, read in a thread. Raises `WebbenchError`."""
        trajectory = await asyncio.to_thread(self.store.load, self.folder)
        self.episode = RecordedEpisode(self.store, trajectory)
        self.profile = time_profile(trajectory.steps)
        return self.episode

    def move(self, place: int) -> None:
        """To the step at this place, or the nearest there is."""
        self.place = max(0, min(place, len(self.steps) - 1))

    def turn(self, *, before: bool) -> None:
        """To the page before the action, or the one after it."""
        self.before = before

    @property
    def steps(self) -> Sequence[Step]:
        return self.episode.steps if self.episode is not None else ()

    @property
    def step(self) -> Step | None:
        """The step that is shown, None where there are none."""
        return self.steps[self.place] if self.steps else None

    @property
    def has_pictures(self) -> bool:
        return any(step.screenshot for step in self.steps)

    @property
    def page_place(self) -> int:
        """Place of the step whose page is shown: the one before the action, or the one after it."""
        if self.episode is None:
            return 0
        earlier = self.episode.before(self.place) if self.before else None
        return self.episode.after(self.place) if earlier is None else earlier

    @property
    def side(self) -> str:
        """Which page is shown, in words."""
        step, page = self.steps[self.place], self.steps[self.page_place]
        if page is step:
            return "after the action" if step.index else "the start"
        return "before the action" if self.before else f"as after step {page.index}"
