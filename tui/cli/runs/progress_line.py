"""The progress of a run: one line on stderr that is written over; in a file, a line now and then."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sys
from collections.abc import AsyncIterator

from webbench.core.runner.batch import Notices
from webbench.core.runner.status.progress import RunProgress
from webbench.core.runner.status.results import EpisodeResult
from webbench.core.runner.status.run_status import per_minute
from webbench.core.score.score import Status
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store
from webbench.core.text.durations import duration_words
from webbench.core.text.no_value import or_dash
from webbench.core.text.plain_text import clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.ascii_signs import in_ascii
from webbench.tui.cli.output import say, write_over
from webbench.tui.cli.place import told_command

BAR_WIDTH = 20
AGAIN_SECONDS = 1.0
LINE_SECONDS = 60.0
"""Between two lines in a file: under nohup, in a job of a cluster, in a log."""


class Progress:
    """Draws how far a run is, and tells what goes wrong meanwhile.

    Args:
        announced: say first which run of this store it is, for those who look at it from elsewhere or go on
            with it later.

    Attributes:
        run: its name, "" until it was begun.
    """

    def __init__(self, *, announced: Store | None = None) -> None:
        self.run = ""
        self._store = announced
        self._progress: RunProgress | None = None
        self._last = "starting"
        self._drawn = sys.stderr.isatty()
        self._plain = load_settings().ascii
        self._told: set[str] = set()

    @property
    def notices(self) -> Notices:
        """What a runner is to tell it."""
        return Notices(begun=self._begin, changed=self._draw, ended=self._end, trouble=self.tell)

    @property
    def done(self) -> int:
        """Episodes that need not be played any more."""
        return len(self._progress.ended) if self._progress else 0

    def _begin(self, run: str, progress: RunProgress) -> None:
        self.run, self._progress = run, progress
        if self._store is not None:
            left = f"{len(progress.waiting)} of {counted(len(progress.plan.episodes), 'episode')} to play"
            watch = told_command(["status", run, "--watch"], self._store)
            say(f"run {run}: {left}; `{watch}` shows it elsewhere")
        self._draw()

    def _end(self, result: EpisodeResult) -> None:
        self._last = result.task if result.instance is None else f"{result.task}#{result.instance}"

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
            write_over("\r\x1b[K")

    @contextlib.asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Draw it meanwhile every second, so that its times go on while no episode ends."""
        drawing = asyncio.create_task(self._redraw())
        try:
            yield
        finally:
            drawing.cancel()
            self.clear()

    async def _redraw(self) -> None:
        while self._drawn:
            await asyncio.sleep(AGAIN_SECONDS)
            self._draw()
        while self._store is not None:
            await asyncio.sleep(LINE_SECONDS)
            if self._progress is not None:
                say(self._written(count_line(self._progress, self._last)))

    def _draw(self) -> None:
        if not self._drawn or self._progress is None:
            return
        columns = shutil.get_terminal_size((80, 24)).columns
        line = clip(bar_line(self._progress, self._last), columns - 1)
        write_over(f"\r{self._written(line)}\x1b[K")

    def _written(self, line: str) -> str:
        return in_ascii(line) if self._plain else line


def bar_line(progress: RunProgress, last: str) -> str:
    """The bar, and what `count_line` says."""
    full = BAR_WIDTH * len(progress.ended) // max(1, len(progress.plan.episodes))
    return f"{'█' * full}{'░' * (BAR_WIDTH - full)} {count_line(progress, last)}"


def count_line(progress: RunProgress, last: str) -> str:
    """Counts, mean, pace, time left, cost, and what came last."""
    ended, planned = progress.ended, len(progress.plan.episodes)
    values = [one.score for one in ended if one.score is not None]
    parts = [
        f"{len(ended)}/{planned}",
        f"mean {or_dash(sum(values) / len(values) if values else None)}",
    ]
    pending = sum(one.status is Status.PENDING for one in ended)
    if pending:
        parts.append(f"{pending} pending")
    if unscored := len(ended) - len(values) - pending:
        parts.append(f"{unscored} not scored")
    pace = per_minute(progress)
    if pace and planned > len(ended):
        parts.append(f"{pace:.1f}/min, {duration_words((planned - len(ended)) / pace * 60)} left")
    if progress.spent.cost is not None:
        parts.append(f"${progress.spent.cost:.2f}")
    return "  ".join((*parts, plain_text(last)))
