"""Where the time of an episode went, as one line: a click, or the arrows on it, jump to a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.analysis.recorded.time_profile import PARTS, TimeProfile
from webbench.core.models.spending import Spent
from webbench.core.text.durations import short_duration
from webbench.core.trajectory import Seconds
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import ASCII, glyphs_of
from webbench.tui.widgets.lines.line import Line

NAMES = {"idle": "idle", "agent": "agent", "environment": "page", "scoring": "scoring"}
SIGNS = {"idle": "░", "agent": "▓", "environment": "█", "scoring": "▒"}
ASCII_SIGNS = {"idle": ".", "agent": "a", "environment": "#", "scoring": "s"}
LEAST_BAR = 24
LEAST_SPAN = 3
"""Columns of a step from which one of them can be spared to show where it begins."""


class TimeStrip(Widget, can_focus=True):
    """Give it a `profile` and the `place` of the step that is shown."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"time-strip--{part}" for part in (*PARTS, "here", "legend")}

    DEFAULT_CSS = """
    TimeStrip {
        height: 2;
        background: $panel;
        padding: 0 1;
        & > .time-strip--idle { color: $foreground 45%; }
        & > .time-strip--agent { color: $text-accent; }
        & > .time-strip--environment { color: $text-primary; }
        & > .time-strip--scoring { color: $text-success; }
        & > .time-strip--here { color: $text-warning; text-style: bold; }
        & > .time-strip--legend { color: $foreground-muted; }
        &:focus { background: $boost; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("time")]

    @dataclass
    class PlaceChosen(Message):
        strip: TimeStrip
        place: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._profile = TimeProfile(steps=(), seconds=(), total=Seconds(), spent=Spent())
        self._place = 0
        self._drawn: tuple[int, Strip] | None = None

    @property
    def profile(self) -> TimeProfile:
        return self._profile

    @profile.setter
    def profile(self, profile: TimeProfile) -> None:
        self._profile, self._drawn = profile, None
        self.refresh()

    @property
    def place(self) -> int:
        return self._place

    @place.setter
    def place(self, place: int) -> None:
        self._place = place
        self.refresh()

    @property
    def _width(self) -> int:
        return max(1, self.content_region.width)

    def span(self, place: int) -> tuple[int, int]:
        """First column of a step and the first behind it; every step has at least one."""
        seconds = self._profile.seconds
        weights = [one.total for one in seconds] if self._profile.known else [1.0] * len(seconds)
        whole = sum(weights) or 1.0
        start = int(self._width * sum(weights[:place]) / whole)
        end = int(self._width * sum(weights[: place + 1]) / whole)
        start = min(start, self._width - 1)
        return start, max(start + 1, end)

    def notify_style_update(self) -> None:
        self._drawn = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        if y:
            return self._legend()
        if self._drawn is None or self._drawn[0] != self._width:
            self._drawn = self._width, self._bar()
        return self._drawn[1]

    def _bar(self) -> Strip:
        """The same for all steps, so drawn once."""
        cells = [Segment(" ", self.rich_style)] * self._width
        for place, seconds in enumerate(self._profile.seconds):
            start, end = self.span(place)
            for column in range(start, min(end, self._width)):
                begins = column == start and end - start >= LEAST_SPAN
                cells[column] = self._cell(seconds, (column - start + 0.5) / (end - start), begins)
        return Strip(cells, self._width)

    def _cell(self, seconds: Seconds, fraction: float, begins: bool) -> Segment:
        """One column of a step, with a gap where it begins; without times only that is drawn."""
        plain = glyphs_of(self) is ASCII
        if not self._profile.known:
            rule = ("|" if begins else "-") if plain else ("├" if begins else "─")
            return Segment(rule, self.rich_style + component_style(self, "time-strip--legend"))
        part = _part_at(seconds, fraction)
        sign = ("|" if plain else "▐") if begins else (ASCII_SIGNS if plain else SIGNS)[part]
        return Segment(sign, self.rich_style + component_style(self, f"time-strip--{part}"))

    def _legend(self) -> Strip:
        """A pointer below the middle of the step that is shown, and what the parts come to beside it."""
        words = self._legend_pieces()
        taken = sum(cell_len(text) for text, _ in words)
        line = Line(self._width)
        if not self._profile.seconds:
            return line.strip(self.rich_style)
        start, end = self.span(self._place)
        middle = min((start + end - 1) // 2, self._width - 1)
        pointer = "▲" if glyphs_of(self) is not ASCII else "^"
        here = component_style(self, "time-strip--here")
        if middle < self._width - taken:
            for text, style in words:
                line.right(text, style)
            return line.add(" " * middle).add(pointer, here).strip(self.rich_style)
        for text, style in words:
            line.add(text, style)
        return line.add(" " * max(0, middle - taken)).add(pointer, here).strip(self.rich_style)

    def _legend_pieces(self) -> list[tuple[str, Style]]:
        legend = component_style(self, "time-strip--legend")
        if not self._profile.known:
            return [(" no times recorded: every step is as wide", legend)]
        total = self._profile.total
        signs = ASCII_SIGNS if glyphs_of(self) is ASCII else SIGNS
        words: list[tuple[str, Style]] = []
        for part in PARTS:
            spent = getattr(total, part)
            if spent >= 0.001:
                words.append((f"  {signs[part]}", component_style(self, f"time-strip--{part}")))
                words.append((f" {NAMES[part]} {short_duration(spent)}", legend))
        words.append((f"  {short_duration(total.total)} in all", legend))
        room = self._width - LEAST_BAR
        return words if sum(cell_len(text) for text, _ in words) <= room else words[-1:]

    def action_travel(self, columns: int) -> None:
        """Along the strip by time: to the step that many columns away, at least to the next one."""
        last = len(self._profile.seconds) - 1
        start, _ = self.span(self._place)
        place = self._profile.place((start + columns + 0.5) / self._width)
        if place == self._place:
            place += 1 if columns > 0 else -1
        self.post_message(self.PlaceChosen(self, max(0, min(last, place))))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self._profile.seconds:
            place = self._profile.place((offset.x + 0.5) / self._width)
            self.post_message(self.PlaceChosen(self, place))


def _part_at(seconds: Seconds, fraction: float) -> str:
    """Which part of a step's time lies at this share of it."""
    left = fraction * seconds.total
    for part in PARTS:
        left -= getattr(seconds, part)
        if left < 0:
            return part
    return "environment"
