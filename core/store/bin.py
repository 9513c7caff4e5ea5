"""The bin: runs that were deleted lie in `<store>/bin/` until they are restored, or the bin is emptied."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.store.records import reader
from webbench.core.store.records.durable_files import sync_folder, writing
from webbench.core.store.records.names import BIN, checked, is_name
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.records.temporary import private_folder
from webbench.core.store.run_notes import RunNotes, change_notes, read_notes, run_folder
from webbench.core.store.store import Store
from webbench.core.trajectory import now


class BinnedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the bin.

    Attributes:
        name: what people called it.
        episodes: how many it holds.
        binned: when it was deleted (UTC, ISO 8601), "" where that isn't known.
        problem: why its record can't be read.
    """

    run: str
    name: str = ""
    benchmark: str = ""
    agent: str = ""
    episodes: int = 0
    binned: str = ""
    problem: str = ""


class Bin:
    """Of one store. Labels of what lies in it stay where they are, and count again once it is restored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder = store.root / BIN

    def put(self, run: str) -> None:
        """Move a run into the bin.

        Raises `UsageError` for an unknown run, for one that is recorded now, and where the bin has one of its
        name; `StoreUnwritable`.
        """
        root = self._store.root
        folder = run_folder(root, run)
        if (self._folder / run).exists():
            raise UsageError(f"the bin has a run {run} already", "restore that one, or empty the bin, first")
        if busy := next((one for one in _episodes(folder) if reader.is_being_written(one)), None):
            raise UsageError(f"{busy.name} of the run {run} is being recorded", "end it first")
        self._say(run, binned=now())
        with writing(root, "the run in the bin"):
            private_folder(self._folder)
            self._move(folder, self._folder / run)

    def restore(self, run: str) -> None:
        """Move a run back among the others.

        Raises `UsageError` where the bin has none of that name, or the store has one; `StoreUnwritable`.
        """
        root = self._store.root
        place = root / checked(run, "run")
        if not (self._folder / run).is_dir():
            raise UsageError(f"there is no run {run} in the bin", "`webbench-tui runs bin` lists what is")
        if place.exists():
            raise UsageError(f"there is a run {run} in the store again", "delete that one first")
        with writing(root, "the run out of the bin"):
            self._move(self._folder / run, place)
        self._say(run, binned="")

    def runs(self) -> list[BinnedRun]:
        """What lies in it, the latest first."""
        try:
            folders = [one for one in self._folder.iterdir() if is_name(one.name) and one.is_dir()]
        except OSError:
            return []
        found = [_binned(folder) for folder in folders]
        return sorted(found, key=lambda one: (one.binned, one.run), reverse=True)

    def empty(self, runs: Iterable[str]) -> None:
        """Delete these runs of the bin for good. Raises `UsageError` for one that isn't in it."""
        there = {one.run for one in self.runs()}
        wanted = list(runs)
        if missing := [run for run in wanted if run not in there]:
            raise UsageError(f"there is no run {missing[0]} in the bin", "`webbench-tui runs bin` lists it")
        with writing(self._store.root, "the emptied bin"):
            for run in wanted:
                shutil.rmtree(self._folder / run)

    def _move(self, folder: Path, place: Path) -> None:
        folder.rename(place)
        sync_folder(folder.parent)
        sync_folder(place.parent)

    def _say(self, run: str, *, binned: str) -> None:
        """When it was deleted; a run whose notes can't be read is moved all the same."""

        def change(notes: RunNotes) -> RunNotes:
            return msgspec.structs.replace(notes, binned=binned)

        with contextlib.suppress(BadData):
            change_notes(self._store.root, run, change, self._store.redaction)


def _episodes(folder: Path) -> list[Path]:
    return [path.parent for path in folder.glob(f"*/{HEADER}")]


def _binned(folder: Path) -> BinnedRun:
    notes, problem = RunNotes(), ""
    with contextlib.suppress(BadData):
        notes = read_notes(folder)
    benchmark = agent = ""
    try:
        header = reader.read_run(folder)
        benchmark, agent = header.benchmark, header.agent
    except BadData as error:
        problem = error.message
    return BinnedRun(
        run=folder.name,
        name=notes.name,
        benchmark=benchmark,
        agent=agent,
        episodes=len(_episodes(folder)),
        binned=notes.binned,
        problem=problem,
    )
