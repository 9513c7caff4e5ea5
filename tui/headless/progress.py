"""The progress of a batch: one line on stderr that is written over; nothing where stderr is no terminal."""

from __future__ import annotations

import re
import shutil
import sys

from webbench.core.plain_text import clip, plain_text
from webbench.core.runner.batch import EpisodeResult
from webbench.tui.headless.output import say

BAR_WIDTH = 24


class Progress:
    """Counts results and draws them.

    Attributes:
        run: id of the run, "" until it was begun.
        scored, total: number and sum of the values so far.
    """

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.run = ""
        self.done = 0
        self.scored = 0
        self.total = 0.0
        self._drawn = sys.stderr.isatty()
        self._told: set[str] = set()

    def begin(self, run: str) -> None:
        """The run has begun."""
        self.run = run
        self._draw("starting")

    def add(self, result: EpisodeResult) -> None:
        """One more episode has ended."""
        self.done += 1
        if result.score is not None:
            self.scored += 1
            self.total += result.score
        self._draw(result.task if result.instance is None else f"{result.task}#{result.instance}")

    def tell(self, trouble: str) -> None:
        """Something goes wrong; the same words, but for their numbers, are said once in a run."""
        words = re.sub(r"[0-9]+", "", trouble)
        if words not in self._told:
            self._told.add(words)
            self.clear()
            say(trouble)

    def clear(self) -> None:
        """Leave no trace on the line."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _draw(self, last: str) -> None:
        if not self._drawn:
            return
        full = BAR_WIDTH * self.done // max(1, self.planned)
        bar = "█" * full + "░" * (BAR_WIDTH - full)
        mean = f"{self.total / self.scored:.3f}" if self.scored else "–"
        missed = f", {self.done - self.scored} not scored" if self.done > self.scored else ""
        line = f"{bar} {self.done}/{self.planned}  mean {mean}{missed}  {plain_text(last)}"
        columns = shutil.get_terminal_size((80, 24)).columns
        sys.stderr.write(f"\r{clip(line, columns - 1)}\x1b[K")
        sys.stderr.flush()
