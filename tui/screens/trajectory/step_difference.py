"""What a step changed on the page, as its panel shows it."""

from __future__ import annotations

import asyncio
from functools import partial

from textual.screen import Screen
from textual.widgets import ContentSwitcher

from webbench.core.analysis.recorded.observation_difference import ObservationDifference
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.tui.screens.trajectory.scrubbing import NO_STEPS, Scrubbing
from webbench.tui.widgets.lists.difference_list import DifferenceList
from webbench.tui.workers import run_worker


class StepDifference:
    """Compares two pages only where that is looked at: they have to be read for it. Keeps what it found."""

    def __init__(self, screen: Screen[None], scrubbing: Scrubbing) -> None:
        self._screen = screen
        self._scrubbing = scrubbing
        self._found: dict[int, ObservationDifference] = {}

    def forget(self) -> None:
        """The record may be another one now."""
        self._found.clear()

    def show(self) -> None:
        """What the step that is shown changed, as far as that is known or asked for."""
        panel, place, episode = self._panel, self._scrubbing.place, self._scrubbing.episode
        if episode is None:
            return
        if not episode.steps:
            panel.empty_text = NO_STEPS
            return
        known = self._found.get(place)
        panel.show(known)
        if known is None and self._screen.query_one(ContentSwitcher).current == "difference":
            work = partial(self._compare, episode, place)
            run_worker(self._screen, work, group="difference", exclusive=True)

    @property
    def _panel(self) -> DifferenceList:
        return self._screen.query_one(DifferenceList)

    async def _compare(self, episode: RecordedEpisode, place: int) -> None:
        found = await asyncio.to_thread(episode.difference, place)
        if episode is not self._scrubbing.episode:
            return
        self._found[place] = found
        if place == self._scrubbing.place:
            self._panel.show(found)
