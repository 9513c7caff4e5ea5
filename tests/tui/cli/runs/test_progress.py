"""The line of a run's progress, as a terminal gets it."""

from __future__ import annotations

import io
import sys

import pytest

from webbench.core.runner.plan.plan import PlannedEpisode, RunPlan
from webbench.core.runner.status.progress import RunProgress
from webbench.tui.cli.runs.progress_line import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_bar_is_drawn_in_ascii_where_that_is_set(
    ascii_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_ASCII", str(ascii_only).lower())
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    episodes = tuple(PlannedEpisode(order=order, task="any") for order in range(2))
    Progress().notices.begun("run", RunProgress(RunPlan(benchmark="demo", agent="oracle", episodes=episodes)))
    drawn = terminal.getvalue()
    assert "0/2" in drawn
    assert drawn.isascii() is ascii_only
