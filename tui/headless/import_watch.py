"""How far an import is: one line on stderr that is written over; nothing where stderr is no terminal."""

from __future__ import annotations

import shutil
import sys
import time

from webbench.core.formats.importing import Imported
from webbench.core.plain_text import clip, plain_text
from webbench.core.plural import counted
from webbench.tui.headless.output import write_over

SECONDS_BETWEEN = 0.1


class ImportWatch:
    """Takes up what becomes of each place.

    Attributes:
        told: the places so far, in order; the last one may still go on.
    """

    def __init__(self) -> None:
        self.told: list[Imported] = []
        self._episodes = 0
        self._drawn = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, told: Imported) -> None:
        """A place, after each of its episodes and at its end."""
        if not self.told or self.told[-1] is not told:
            self._episodes += self.told[-1].episodes if self.told else 0
            self.told.append(told)
        if self._drawn and time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN
            self._draw(told)

    def clear(self) -> None:
        """Leave no trace on the line."""
        if self._drawn:
            write_over("\r\x1b[K")

    def _draw(self, told: Imported) -> None:
        line = f"{counted(self._episodes + told.episodes, 'episode')}  {plain_text(told.path)}"
        columns = shutil.get_terminal_size((80, 24)).columns
        write_over(f"\r{clip(line, columns - 1)}\x1b[K")
