"""Signals and terminals that end while a run goes on."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from webbench.core.runner.plan.plan import PlannedEpisode, RunPlan
from webbench.core.runner.status.progress import RunProgress
from webbench.core.store.store import Store
from webbench.tui.cli.interrupts import ending_in_order
from webbench.tui.cli.output import READER_GONE, print_line, say
from webbench.tui.cli.runs.progress_line import Progress


class Terminal:
    """A terminal, until its other end is closed, as when a connection breaks."""

    def __init__(self) -> None:
        self._other, end = pty.openpty()
        self.stream: TextIO = os.fdopen(end, "w", buffering=1)

    def hang_up(self) -> None:
        os.close(self._other)
        with pytest.raises(OSError, match="Input/output"):
            print("nobody sees it", file=self.stream)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.stream.close()


@pytest.mark.parametrize(("before", "told"), [(signal.SIG_IGN, 0), (signal.SIG_DFL, 1)])
async def test_a_run_under_nohup_outlives_its_terminal(before: signal.Handlers, told: int) -> None:
    asked = list[str]()
    kept = signal.signal(signal.SIGHUP, before)
    try:
        with ending_in_order(lambda: asked.append("leave")):
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert (len(asked), signal.getsignal(signal.SIGHUP)) == (told, before)
    finally:
        signal.signal(signal.SIGHUP, kept)


def test_a_terminal_that_is_gone_harms_no_run(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    progress = Progress()
    terminal.hang_up()
    plan = RunPlan(benchmark="demo", agent="oracle", episodes=(PlannedEpisode(order=0, task="a"),))
    progress.notices.begun("a run", RunProgress(plan))
    progress.notices.changed()
    progress.notices.trouble("something is wrong")
    say("the end")


@pytest.mark.parametrize("announce", [True, False])
async def test_a_log_gets_a_line_on_the_progress_now_and_then(
    announce: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.tui.cli.runs.progress_line.LINE_SECONDS", 0.02)
    plan = RunPlan(benchmark="demo", agent="oracle", episodes=(PlannedEpisode(order=0, task="a"),))
    progress = Progress(announced=Store(tmp_path) if announce else None)
    progress.notices.begun("a-run", RunProgress(plan))
    async with progress.shown():
        await asyncio.sleep(0.1)
    lines = capsys.readouterr().err.splitlines()[1:]
    assert bool(lines) is announce, "one document is all that --json is to give"
    assert set(lines) <= {"0/1  mean –  starting"}


@pytest.mark.parametrize("announce", [True, False])
def test_the_name_of_a_run_is_told_before_it_ends(
    announce: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = RunPlan(benchmark="demo", agent="oracle", episodes=(PlannedEpisode(order=0, task="a"),))
    Progress(announced=Store(tmp_path) if announce else None).notices.begun("a-run", RunProgress(plan))
    told = capsys.readouterr().err
    if announce:
        assert told.startswith("run a-run: 1 of 1 episode to play")
        assert f"--store {tmp_path}` shows it" in told
    else:
        assert told == ""


def test_a_report_for_a_terminal_that_is_gone_ends_quietly(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    terminal.hang_up()
    with pytest.raises(SystemExit) as ending:
        print_line("the report")
    assert ending.value.code == READER_GONE
