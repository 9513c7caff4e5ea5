"""How long the episode has taken, pauses left out."""

from __future__ import annotations

import time
from typing import Any

from textual.content import Content
from textual.widgets import Static

from webbench.tui.widgets.lines.glyphs import glyphs_of


class Clock(Static):
    """Counts from `start`; `pause` and `resume` leave time out, `stop` keeps the figure."""

    DEFAULT_CSS = """
    Clock {
        width: auto;
        height: 1;
        padding: 0 1;
        color: $foreground-muted;
        &.-running { color: $text-accent; }
    }
    """

    def __init__(self, **names: Any) -> None:
        super().__init__("", markup=False, **names)
        self._kept = 0.0
        self._since: float | None = None
        self._over = False
        self.limit: float | None = None
        """Seconds after which time is up, None for any number; shown beside the time."""

    def on_mount(self) -> None:
        self.set_interval(1.0, self._show)
        self._show()

    @property
    def seconds(self) -> float:
        running = time.monotonic() - self._since if self._since is not None else 0.0
        return self._kept + running

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self, seconds: float = 0.0) -> None:
        """Begin at `seconds`, which a resumed episode brings along."""
        self._kept, self._since, self._over = seconds, time.monotonic(), False
        self._show()

    def stop(self) -> None:
        """The episode is over: the figure stays."""
        self._over = True
        self.pause()

    def pause(self) -> None:
        self._kept, self._since = self.seconds, None
        self._show()

    def resume(self) -> None:
        if self._since is None:
            self._since = time.monotonic()
            self._show()

    def _show(self) -> None:
        self.set_class(self.running, "-running")
        paused = "" if self.running or self._over or not self._kept else " paused"
        limit = f" of {clock_text(self.limit)}" if self.limit is not None else ""
        self.update(Content(f"{glyphs_of(self).clock} {clock_text(self.seconds)}{limit}{paused}"))


def clock_text(seconds: float) -> str:
    """`04:07`, or `1:04:07` from an hour on."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
