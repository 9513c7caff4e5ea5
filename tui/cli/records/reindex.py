"""`reindex`: the store's index built anew from its folders."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from webbench.core.errors import UsageError
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, say
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1
UNREADABLE = 4


def reindex_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """Build the store's index anew from its folders, and tell what can't be read.

    The index is a cache, so nothing can be lost by it. Exit 4 when a run or an episode could not be read.
    """
    raise typer.Exit(reindex(store=store, as_json=as_json))


def reindex(*, store: Path | None, as_json: bool) -> int:
    """Build the index anew: 0, or 4 where something could not be read.

    Raises `UsageError` where there is no store.
    """
    opened = open_store(store)
    if not opened.root.is_dir():
        raise UsageError(f"There is no store at {opened.root}", "name one with --store or WEBBENCH_STORE")
    begun = time.perf_counter()
    in_file = opened.reindex()
    runs, episodes = opened.runs(), opened.episodes()
    seconds = time.perf_counter() - begun
    problems = [f"{run.run}: {run.problem}" for run in runs if run.problem]
    problems += [f"{one.run}/{one.episode}: {one.problem}" for one in episodes if one.problem]
    if not in_file:
        problems.append(f"the index in {opened.root} can't be written; lists are made in memory")
    if as_json:
        found = {
            "store": str(opened.root),
            "runs": len(runs),
            "episodes": len(episodes),
            "unfinished": sum(one.state == "interrupted" for one in episodes),
            "written": in_file,
            "problems": problems,
            "seconds": round(seconds, 3),
        }
        print_json({"schema_version": SCHEMA_VERSION, **found})
    else:
        print_line(
            f"{opened.root}: {counted(len(runs), 'run')}, {counted(len(episodes), 'episode')} "
            f"in {seconds:.2f} s"
        )
        for problem in problems:
            say(problem)
    return UNREADABLE if problems else 0
