"""`stop`: end a run from another terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.core.errors import UsageError
from webbench.core.runner.status.board import statuses_at_work
from webbench.core.runner.stopping import Stopping, stop_run
from webbench.core.store.called_runs import run_called
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath, finite
from webbench.tui.cli.output import print_json, print_text
from webbench.tui.cli.place import open_store, told_command


def stop_command(
    run: Annotated[str, typer.Argument(help="Run; the one that is being played, if there is just one.")] = "",
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, callback=finite, help="Seconds to wait until its runner has left."),
    ] = 60.0,
    now: Annotated[
        bool, typer.Option("--now", help="Leave at once, without ending the episodes that are going on.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """End a run as Ctrl+C does in its terminal: what is going on is not scored, and `run --resume` goes on.

    Only the process that works at the run is told, known by its number and its start, on this machine.

    Exit 0 when nobody works at the run any more, 1 when its runner hasn't left within --wait, 2 for an
    unknown run, 3 when its runner is on another machine or another user's.
    """
    raise typer.Exit(stop(run, wait=wait, at_once=now, store=store, as_json=as_json))


def stop(run: str, *, wait: float, at_once: bool, store: Path | None, as_json: bool) -> int:
    """End it, print what came of it; the exit code.

    Raises `UsageError` for an unknown run, `OutOfReach` for a runner that can't be told from here.
    """
    opened = open_store(store)
    name = run_called(opened, run) if run else _only_one(opened)
    stopping = stop_run(opened.root, name, wait=wait, at_once=at_once)
    if as_json:
        print_json(stopping)
    else:
        for line in stopping_words(stopping):
            print_text(line)
        if stopping.left and stopping.waiting:
            print_text(f"  `{told_command(['run', '--resume', stopping.run], opened)}` goes on")
    return 0 if stopping.left else 1


def stopping_words(stopping: Stopping) -> list[str]:
    """What came of it."""
    who = f"process {stopping.pid} on {stopping.host}"
    if not stopping.left:
        was = "was told to end it" if stopping.told else "is ending it already"
        return [f"{stopping.run}: {who} {was}, and hasn't left yet"]
    left = f", {counted(stopping.waiting, 'episode')} left" if stopping.waiting else ""
    if not stopping.pid:
        return [f"{stopping.run}: nobody works at it; {stopping.state}{left}"]
    return [f"{stopping.run}: {who} has left; {stopping.state}{left}"]


def _only_one(store: Store) -> str:
    at_work = sorted(statuses_at_work(store.root, store.run_names()))
    if len(at_work) == 1:
        return at_work[0]
    if not at_work:
        raise UsageError(f"no run of {store.root} is being played", "`webbench-tui runs` lists them all")
    raise UsageError(f"{len(at_work)} runs are being played: name one", ", ".join(at_work))
