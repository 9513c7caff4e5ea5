"""`status`: how a run stands, once or again and again."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.errors import UsageError
from webbench.core.runner.status.run_status import RunStatus, run_status
from webbench.core.runner.status.status_words import (
    AT_WORK,
    count_words,
    pace_words,
    resuming_words,
    runner_words,
)
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import run_called
from webbench.core.store.store import Store
from webbench.core.text.durations import duration_words
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_json_line, print_line, print_table, print_text
from webbench.tui.cli.place import open_store
from webbench.tui.finding_again import store_option

AGAIN_SECONDS = 1.0


def status_command(
    run: Annotated[str, typer.Argument(help="Run; the newest one if not given.")] = "",
    watch: Annotated[
        bool, typer.Option("--watch", help="Show it anew every second until its runner leaves off.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """How a run stands, from another terminal or another machine with the same store.

    Exit 0 when it is running or finished, 1 when it stopped with something left to play or not scored.
    """
    raise typer.Exit(show_status(run, store=store, watch=watch, as_json=as_json))


def show_status(name: str, *, store: Path | None, watch: bool, as_json: bool) -> int:
    """Print it; with `watch` again until nobody works at the run any more, JSON one document a line.

    Raises:
        UsageError: no such run, or one without a plan.
    """
    opened = open_store(store)
    run = run_called(opened, name) if name else _newest(opened)
    option = store_option(opened.root, load_settings().store_folder())
    while True:
        status = run_status(opened.root, run)
        if watch and as_json:
            print_json_line(status)
        elif as_json:
            print_json(status)
        else:
            print_status(status, store=option, over=watch and sys.stdout.isatty())
        if not watch or status.state not in AT_WORK:
            return 0 if _all_well(status) else 1
        time.sleep(AGAIN_SECONDS)


def _newest(store: Store) -> str:
    runs = store.runs()
    if not runs:
        raise UsageError(f"there is no run in {store.root}", "`webbench-tui run BENCHMARK` begins one")
    return runs[0].run


def _all_well(status: RunStatus) -> bool:
    return status.state in AT_WORK or (status.state == "finished" and status.scored == status.planned)


def print_status(status: RunStatus, *, store: str = "", over: bool = False) -> None:
    """As text; `store` is the option that names its store, `over` what was there before."""
    if over:
        sys.stdout.write("\x1b[H\x1b[J")
    print_text(f"{status.run}: {status.state}")
    print_text(f"  {status.agent} on {status.benchmark}, {counted(status.workers, 'worker')}")
    print_text(f"  {runner_words(status)}")
    print_text(f"  {count_words(status)}")
    print_text(f"  {pace_words(status)}")
    for problem in status.problems:
        print_text(f"  {problem}")
    _print_running(status)
    _print_causes(status)
    if resuming := resuming_words(status, store):
        print_text(f"\n{resuming}")


def _print_running(status: RunStatus) -> None:
    if not status.running:
        return
    print_line()
    rows = [
        (
            one.task,
            "stale" if one.stale else "running",
            one.steps,
            duration_words(one.step_age),
            duration_words(one.seconds),
            plain_text(one.worker),
            one.episode,
        )
        for one in status.running
    ]
    headers = ("task", "state", "steps", "last step", "since", "worker", "episode")
    print_table(headers, rows, numbers=(2, 3, 4), flexible=(0,))


def _print_causes(status: RunStatus) -> None:
    if not status.causes:
        return
    print_line()
    rows = [
        (one.count, one.status.words, one.cause, one.episodes[-1] if one.episodes else "")
        for one in status.causes
    ]
    print_table(("count", "status", "cause", "last episode"), rows, numbers=(0,), flexible=(2,))
