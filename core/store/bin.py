"""The bin: runs that were deleted lie in `<store>/bin/` until they are restored, or the bin is emptied."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.store.freeing import remove_runs, space_of
from webbench.core.store.records import codec, reader
from webbench.core.store.records.durable_files import held, sync_folder, write_file, writing
from webbench.core.store.records.names import BIN, checked, is_name
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.records.temporary import private_folder
from webbench.core.store.run_notes import RunNotes, change_notes, notes_bytes, read_notes, run_folder
from webbench.core.store.store import Store
from webbench.core.trajectory import now

EMPTIED = "emptied.json"
SCHEMA_VERSION = 1


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


class _Emptied(msgspec.Struct, frozen=True, kw_only=True):
    """Names of runs that were deleted for good, and when: no `pull` brings them back unasked."""

    runs: dict[str, str] = {}
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


def deleted_runs(root: Path) -> frozenset[str]:
    """Names of the runs that lie in the bin of the store there, or were deleted with what lay in it.

    Raises `BadData` where it can't be told.
    """
    try:
        binned = {one.name for one in (root / BIN).iterdir() if is_name(one.name) and one.is_dir()}
    except OSError:
        return frozenset()
    return frozenset(binned | _emptied(root).keys())


def _emptied(root: Path) -> dict[str, str]:
    """When runs were deleted for good. Raises `BadData` where the list can't be read."""
    path = root / BIN / EMPTIED
    try:
        return codec.decode_record(path.read_bytes(), _Emptied, SCHEMA_VERSION, str(path)).runs
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


class Bin:
    """Of one store. Labels of what lies in it stay where they are, and count again once it is restored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder = store.root / BIN

    def put(self, run: str) -> None:
        """Move a run into the bin.

        Raises as `require_fit`, `StoreUnwritable`.
        """
        root = self._store.root
        folder = self.require_fit(run)
        self._say(run, binned=now())
        with writing(root, "the run in the bin"):
            private_folder(self._folder)
            self._move(folder, self._folder / run)

    def require_fit(self, run: str) -> Path:
        """The folder of a run that can be put into the bin.

        Raises `UsageError` for an unknown run, for one that is recorded now, and where the bin has one of its
        name.
        """
        folder = run_folder(self._store.root, run)
        if (self._folder / run).exists():
            raise UsageError(f"the bin has a run {run} already", "restore that one, or empty the bin, first")
        if busy := next((one for one in _episodes(folder) if reader.is_being_written(one)), None):
            raise UsageError(f"{busy.name} of the run {run} is being recorded", "end it first")
        return folder

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

    def space(self) -> int:
        """Bytes on the disk that emptying it would give back. Raises `BadData` for a damaged record."""
        return space_of(self._store, [self._folder / one.run for one in self.runs()])

    def empty(self, runs: Iterable[str]) -> int:
        """Delete these runs for good, with pages and pictures that no other run needs; bytes that are free.

        Raises `UsageError` for one that isn't in the bin, and while something is recorded in the store;
        `BadData` where a record can't be read, so that nobody knows what it needs; `StoreUnwritable`.
        """
        there = {one.run for one in self.runs()}
        wanted = list(runs)
        if missing := [run for run in wanted if run not in there]:
            raise UsageError(f"there is no run {missing[0]} in the bin", "`webbench-tui runs bin` lists it")
        with writing(self._store.root, "the emptied bin"):
            private_folder(self._folder)
            with held(self._folder):
                before = _emptied(self._store.root)
                freed = remove_runs(self._store, [self._folder / run for run in wanted])
                if wanted:
                    self._write_emptied(before | dict.fromkeys(wanted, now()))
        return freed

    def last_words(self, run: str) -> bytes:
        """What was said of a deleted run; of one that is gone for good that it was deleted, and when."""
        if (self._folder / run).is_dir():
            return notes_bytes(self._folder / run)
        at = _emptied(self._store.root)[run]
        return codec.encode(RunNotes(binned=at, at=at)) + b"\n"

    def bring_back(self, run: str) -> None:
        """Deleted no longer: restored where it lies here; what is gone for good may come from elsewhere."""
        if (self._folder / run).is_dir():
            self.restore(run)
        elif run in _emptied(self._store.root):
            with writing(self._store.root, "that a run may come back"), held(self._folder):
                emptied = _emptied(self._store.root)
                self._write_emptied({name: at for name, at in emptied.items() if name != run})

    def _write_emptied(self, runs: dict[str, str]) -> None:
        write_file(self._store.root, self._folder / EMPTIED, [codec.encode(_Emptied(runs=runs))])

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
