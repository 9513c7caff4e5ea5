"""Freeing space: deleted runs, and the pages and pictures that no record names any more."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.errors import BadData, UsageError
from webbench.core.store.records.names import BIN
from webbench.core.store.records.reader import is_being_written
from webbench.core.store.records.recorder import HEADER, STEPS
from webbench.core.store.records.temporary import claimed_by_others
from webbench.core.store.store import Store

_BLOB_NAME = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
BLOCK = 512
"""Bytes of the blocks that a file system counts."""
Records = dict[Path, tuple[int, int]]
"""Time and size of the files of episodes."""


def space_of(store: Store, runs: Sequence[Path]) -> int:
    """Bytes on the disk that removing these folders of runs would give back.

    Raises `BadData` where a record can't be read: what it needs is not known then.
    """
    return _taken(runs) + sum(map(_allocated, _unneeded(store, _records(store.root, runs))))


def remove_runs(store: Store, runs: Sequence[Path]) -> int:
    """Delete these folders of runs for good, with what only they need; the bytes that are free again.

    All of it or nothing. Raises `UsageError` while something is recorded in the store, which may come to rest
    on what would be deleted; `BadData` as `space_of`; `OSError`.
    """
    with store.temporary_folder("deleted") as folder:
        known = _records(store.root, runs)
        unneeded = _unneeded(store, known)
        freed = _taken(runs) + sum(map(_allocated, unneeded))
        moved: list[tuple[Path, Path]] = []
        try:
            for number, path in enumerate([*runs, *unneeded]):
                path.rename(folder / str(number))
                moved.append((path, folder / str(number)))
            _require_quiet(store.root, known, own=folder)
        except BaseException:
            for path, place in reversed(moved):
                place.rename(path)
            raise
    return freed


def _require_quiet(root: Path, known: Records, own: Path) -> None:
    """Looked at after what is unneeded is out of reach: what is recorded from now on is written anew."""
    busy = claimed_by_others(root, own) or any(is_being_written(path.parent) for path in known)
    if busy or _records(root) != known:
        raise UsageError(
            "something is being recorded in the store, and may rest on what would be deleted",
            "empty the bin once that has ended",
        )


def _records(root: Path, without: Sequence[Path] = ()) -> Records:
    """The files of the episodes of all runs, those in the bin among them, but for some.

    What lies in any folder counts, also by a link or a name of somebody's own: it may be put back as a run.
    Raises `BadData` for a folder that can't be read.
    """
    found: Records = {}
    for above in (root, root / BIN):
        for run in _folders(above):
            if run not in without:
                for episode in _folders(run):
                    for name in (STEPS, HEADER):
                        with contextlib.suppress(FileNotFoundError):
                            seen = (episode / name).stat()
                            found[episode / name] = (seen.st_mtime_ns, seen.st_size)
    return found


def _folders(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if entry.is_dir()]
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadData(f"{folder} can't be read: {error.strerror or error}") from error
    yield from found


def _unneeded(store: Store, records: Records) -> list[Path]:
    """Files of blobs that none of these records names, and nothing that one names rests on."""
    needed: set[str] = set()
    for path in records:
        try:
            needed |= {name.decode() for name in _BLOB_NAME.findall(path.read_bytes())}
        except OSError as error:
            raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    files: dict[str, list[Path]] = {}
    for path in store.blobs.files():
        files.setdefault(path.name.partition(".")[0], []).append(path)
    waiting = [name for name in needed if name in files]
    while waiting:
        beneath = store.blobs.beneath(waiting.pop())
        if beneath and beneath not in needed:
            needed.add(beneath)
            waiting.append(beneath)
    return [path for name, own in files.items() if name not in needed for path in own]


def _taken(folders: Sequence[Path]) -> int:
    """Bytes on the disk of all files in some folders."""
    return sum(
        _allocated(Path(at) / name)
        for folder in folders
        for at, _, names in os.walk(folder)
        for name in names
    )


def _allocated(path: Path) -> int:
    try:
        return path.lstat().st_blocks * BLOCK
    except OSError:
        return 0
