"""Runs as they are called: by the folder's name, what people call it, or the beginning of the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webbench.core.errors import UsageError
from webbench.core.store.pools import SIGN, save_pool
from webbench.core.store.store import Store

MOST_NAMED = 5


def runs_called(store: Store, texts: Iterable[str]) -> list[str]:
    """The runs' own names, each once; `@NAME` stays what it is.

    Raises `UsageError` where none, or more than one, answers to a text.
    """
    return list(dict.fromkeys(one if one.startswith(SIGN) else run_called(store, one) for one in texts))


def pool_runs(store: Store, name: str, runs: Sequence[str]) -> None:
    """Count several runs as one actor, called `@NAME`. Raises `UsageError` where they are not one agent's.

    Raises as `save_pool` as well.
    """
    if len(runs) < 2:
        raise UsageError("A pool is of several runs", "name two or more of one agent")
    known = {one.run: one for one in store.runs()}
    whose = {(known[run].agent, known[run].benchmark) for run in runs if run in known}
    if len(whose) > 1:
        told = " and ".join(sorted(f"{agent} at {benchmark}" for agent, benchmark in whose))
        raise UsageError(f"These runs are of {told}", "pool runs of one agent at one benchmark")
    save_pool(store.root, name, runs)


def run_called(store: Store, text: str) -> str:
    """One run's own name. Raises `UsageError` as `runs_called`."""
    asked = text.strip().rstrip("/")
    if asked in store.run_names():
        return asked
    runs = store.runs()
    wanted = asked.casefold()
    named = [one.run for one in runs if one.name and one.name.casefold() == wanted]
    found = named or [one.run for one in runs if asked and one.run.startswith(asked)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"there is no run {text} in {store.root}", "`webbench-tui runs` lists them")
    several = ", ".join(found[:MOST_NAMED])
    raise UsageError(f"{len(found)} runs are called {text}: {several}", "give the name of its folder")
