"""Runs as they are called: by the folder's name, what people call it, or the beginning of the first."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.errors import UsageError
from webbench.core.store.store import Store

MOST_NAMED = 5


def runs_called(store: Store, texts: Iterable[str]) -> list[str]:
    """The runs' own names, each once.

    Raises `UsageError` where none, or more than one, answers to a text.
    """
    return list(dict.fromkeys(run_called(store, text) for text in texts))


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
