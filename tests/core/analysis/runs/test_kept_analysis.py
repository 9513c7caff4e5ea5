"""Analyses kept beside the index: found again while nothing changed, never shown once something did."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

from tests.core.analysis.recorded_runs import Recording
from webbench.core.analysis.runs.kept_analysis import FILE, MOST_KEPT, kept_analysis
from webbench.core.analysis.runs.whole_run import Analysed
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.store import Store


def settle(store: Store) -> None:
    """Let every file have been written an hour ago: what was just written may change again unseen."""
    for file in store.root.rglob("*"):
        if file.is_file() and not file.name.startswith(FILE):
            status = file.stat()
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - 3_600_000_000_000))


class Asking:
    """Analyses of runs, and whether each had to be worked out."""

    def __init__(self, store: Store, *runs: str) -> None:
        self.store = store
        self.runs = runs

    def __call__(self, seed: int = 0, *, again: bool = False) -> tuple[Analysed, bool]:
        told: list[Analysed] = []
        found = kept_analysis(self.store, self.runs, seed=seed, told=told.append, again=again)
        return found, bool(told)


def test_an_analysis_is_found_again_until_something_that_it_rests_on_changes(store: Store) -> None:
    run = Recording(store, "one")
    run.add("a1", 1.0, urls=["http://shop.test/"] * 3)
    run.add("b1", 0.0)
    ask = Asking(store, run.run)

    first, unsettled = ask()[0], ask()[1]
    assert unsettled, "files that were just written may change again unseen"
    settle(store)
    assert ask() == (first, True)
    assert ask() == (first, False)
    assert ask(again=True) == (first, True)
    assert ask(seed=1)[1]

    name = run.add("c1", 1.0).split("/")[1]
    settle(store)
    assert len(ask()[0].rates.runs[0].tasks) == 3
    assert not ask()[1]
    said = Label(run=run.run, episode=name, taxonomy="m", version=1, question="q", code="c", annotator="ann")
    ledger_of(store).add([said])
    assert ask()[1], "a label is new"


def test_few_are_kept_and_a_damaged_file_is_made_anew(store: Store) -> None:
    run = Recording(store, "one")
    run.add("a1", 1.0)
    settle(store)
    ask = Asking(store, run.run)

    for seed in range(MOST_KEPT + 3):
        ask(seed)
    with closing(sqlite3.connect(store.root / FILE)) as database:
        assert database.execute("SELECT count(*) FROM analyses").fetchone() == (MOST_KEPT,)
    assert not ask(MOST_KEPT + 2)[1]
    assert ask(0)[1], "the one that was used longest ago went"

    (store.root / FILE).write_bytes(b"no database" * 1000)
    assert ask()[1]
    assert ask()[1], "the damaged file was thrown away"
    assert not ask()[1]
