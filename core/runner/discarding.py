"""Deleting runs: into the bin, and only what nobody works at."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.errors import UsageError
from webbench.core.runner.status.board import planned_status
from webbench.core.runner.status.status_words import AT_WORK
from webbench.core.store.bin import Bin
from webbench.core.store.store import Store


def discard_runs(store: Store, runs: Sequence[str]) -> None:
    """Move runs into the bin of their store: all, or none where one is unknown, or at work now.

    Raises `UsageError`, `StoreUnwritable`.
    """
    for run in runs:
        Bin(store).require_fit(run)
        status = planned_status(store.root, run)
        if status is not None and status.state in AT_WORK:
            raise UsageError(f"the run {run} is being played", f"`webbench-tui stop {run}` ends it")
    for run in runs:
        Bin(store).put(run)
