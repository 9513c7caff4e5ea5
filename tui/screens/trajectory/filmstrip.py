"""The pictures of an episode in a row, small, the one that is shown marked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.errors import BadData
from webbench.core.text.plain_text import plain_text
from webbench.tui.pictures.half_block import half_blocks
from webbench.tui.pictures.source import decode
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.line import Line
from webbench.tui.workers import run_worker

COLUMNS, ROWS = 18, 5
"""Cells of one picture."""
GAP = 2


class Filmstrip(Widget):
    """Give it an `episode` and the `place` that is shown; pictures are read in a thread, the near ones first.

    It draws half blocks in every terminal: the pictures are too small for anything better to show.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"filmstrip--caption", "filmstrip--here"}

    DEFAULT_CSS = """
    Filmstrip {
        height: 6;
        display: none;
        background: $surface;
        & > .filmstrip--caption { color: $foreground-muted; }
        & > .filmstrip--here { color: $block-cursor-foreground; background: $block-cursor-background; }
    }
    """

    @dataclass
    class PlaceChosen(Message):
        film: Filmstrip
        place: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._episode: RecordedEpisode | None = None
        self._place = 0
        self._first = 0
        self._pictures: dict[int, list[Strip]] = {}
        self._changed = asyncio.Event()

    def on_mount(self) -> None:
        run_worker(self, self._keep_drawing, group="film")

    def show(self, episode: RecordedEpisode, place: int) -> None:
        """Show a place among the pictures; they move only where it would be out of sight."""
        fresh = episode is not self._episode
        if fresh:
            self._episode, self._pictures = episode, {}
        self._place = place
        moved = self._moved()
        self._changed.set()
        if fresh or moved:
            self.refresh()
        else:
            self.refresh(Region(0, 0, self.size.width, 1))

    def on_show(self) -> None:
        self._changed.set()

    def on_resize(self) -> None:
        self._moved()
        self._changed.set()

    @property
    def _room(self) -> int:
        return max(1, (self.size.width + GAP) // (COLUMNS + GAP))

    def _moved(self) -> bool:
        """Bring the place into sight, with one picture more in the direction of travel; whether it moved."""
        last = len(self._episode.steps) - self._room if self._episode is not None else 0
        first = min(self._first, self._place - 1)
        first = max(first, self._place + 2 - self._room)
        first = max(0, min(first, last))
        moved, self._first = first != self._first, first
        return moved

    def places(self) -> list[int]:
        """What has room, in order."""
        count = len(self._episode.steps) if self._episode is not None else 0
        return list(range(self._first, min(count, self._first + self._room)))

    async def _keep_drawing(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self.display and (place := self._missing()) is not None and self._episode is not None:
                episode = self._episode
                drawn = await asyncio.to_thread(_draw, episode, place)
                if episode is self._episode:
                    self._pictures[place] = drawn
                    self.refresh()

    def _missing(self) -> int | None:
        missing = [place for place in self.places() if place not in self._pictures]
        return min(missing, key=lambda place: abs(place - self._place), default=None)

    def render_line(self, y: int) -> Strip:
        style = self.rich_style
        gap = Strip.blank(GAP, style)
        strips: list[Strip] = []
        for place in self.places():
            strips += [self._caption(place) if y == 0 else self._row(place, y - 1), gap]
        return Strip.join(strips).adjust_cell_length(self.size.width, style)

    def _caption(self, place: int) -> Strip:
        assert self._episode is not None
        step = self._episode.steps[place]
        name = "here" if place == self._place else "caption"
        words = plain_text(step.text, limit=80) or ("start" if step.index == 0 else "note")
        line = Line(COLUMNS).add(f"{step.index:>3} {words}")
        return line.strip(self.rich_style + component_style(self, f"filmstrip--{name}"))

    def _row(self, place: int, row: int) -> Strip:
        drawn = self._pictures.get(place)
        if drawn:
            return drawn[row]
        line = Line(COLUMNS)
        if row == ROWS // 2:
            line.add("    no picture" if drawn is not None else "    …")
        return line.strip(self.rich_style + component_style(self, "filmstrip--caption"))

    def on_click(self, event: events.Click) -> None:
        places = self.places()
        at = event.x // (COLUMNS + GAP)
        if at < len(places):
            self.post_message(self.PlaceChosen(self, places[at]))


def _draw(episode: RecordedEpisode, place: int) -> list[Strip]:
    """The picture as rows of cells; none where there is no picture that can be read."""
    try:
        screenshot = episode.store.screenshot(episode.trajectory, episode.steps[place])
        image = decode(screenshot.data) if screenshot is not None else None
    except (BadData, ValueError):
        image = None
    if image is None:
        return []
    height = min(image.height, image.width * ROWS * 2 / COLUMNS)
    strips = half_blocks(image, (0, 0, image.width, height), COLUMNS, ROWS).strips
    return [Strip([Segment(one.text, one.style) for one in strip], COLUMNS) for strip in strips]
