"""Runs as they are called: by the folder's name, what people call it, or the beginning of the first.

Every command that takes a run or an episode asks here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from webbench.core.errors import UsageError
from webbench.core.store.pools import SIGN, members, save_pool
from webbench.core.store.store import Store

MOST_NAMED = 5


def runs_called(store: Store, texts: Iterable[str]) -> list[str]:
    """The runs' own names, each once; `@NAME` stays what it is.

    Raises `UsageError` where none, or more than one, answers to a text.
    """
    return list(dict.fromkeys(actor_called(store, one) for one in texts))


def each_run(store: Store, texts: Iterable[str]) -> list[str]:
    """The same with the runs of a pool in its place. Raises `UsageError` as `runs_called`."""
    called = runs_called(store, texts)
    return list(dict.fromkeys(run for one in called for run in members(store.root, one)))


def actor_called(store: Store, text: str) -> str:
    """One of them; "" stays it. Raises `UsageError` as `runs_called`."""
    return text if not text or text.startswith(SIGN) else run_called(store, text)


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
    """One run's own name. Raises `UsageError` as `runs_called`, and for a pool."""
    if text.startswith(SIGN):
        several = ", ".join(members(store.root, text)[:MOST_NAMED])
        raise UsageError(f"{text} is a pool: {several}", "name one of its runs")
    found = _named(store, text) or _begun(store, text)
    if not found:
        raise UsageError(f"there is no run {text} in {store.root}", "`webbench-tui runs` lists them")
    return _only_one(found, text)


def runs_meant(store: Store, text: str) -> tuple[str, ...]:
    """The runs that a text means where it may also be an episode's name: the run's, or those of `@NAME`.

    None where an episode answers to it, or nothing does. Raises `UsageError` for an unknown pool, and where
    several runs have the name.
    """
    if text.startswith(SIGN):
        return members(store.root, text)
    found = _named(store, text)
    if not found:
        with contextlib.suppress(UsageError):
            store.find(text)
            return ()
        found = _begun(store, text)
    return (_only_one(found, text),) if found else ()


def episode_called(store: Store, text: str) -> Path:
    """The folder of an episode, as `Store.find`; in "run/episode" the run may be called as people call it."""
    run, slash, episode = text.rstrip("/").rpartition("/")
    if slash and "/" not in run and not text.startswith((".", "~")) and (named := _named(store, run)):
        return store.find(f"{_only_one(named, run)}/{episode}")
    return store.find(text)


def _named(store: Store, text: str) -> list[str]:
    """Runs of this folder's name, else those that people call so."""
    asked = text.strip().rstrip("/")
    if asked in store.run_names():
        return [asked]
    wanted = asked.casefold()
    return [one.run for one in store.runs() if one.name and one.name.casefold() == wanted]


def _begun(store: Store, text: str) -> list[str]:
    asked = text.strip().rstrip("/")
    return [one.run for one in store.runs() if asked and one.run.startswith(asked)]


def _only_one(found: Sequence[str], text: str) -> str:
    if len(found) == 1:
        return found[0]
    several = ", ".join(found[:MOST_NAMED])
    raise UsageError(f"{len(found)} runs are called {text}: {several}", "give the name of its folder")
