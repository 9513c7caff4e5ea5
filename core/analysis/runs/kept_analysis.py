"""Analyses that were worked out before, kept in `analyses.sqlite` beside a store's index.

An analysis is found again by the digest of all that it was made from: which runs, the seed, size and time of
every file of their episodes, of labels and verdicts, of the user's taxonomies, of installed data and of the
program, and which packages are installed. What changed has another digest, so nothing old is ever shown.
Deleting the file loses nothing. Of a plug-in's benchmark nothing is kept: where its code lies nobody knows.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from webbench.core.analysis.rubrics.kept_verdicts import FOLDER as VERDICTS
from webbench.core.analysis.runs.whole_run import Analysed, Progress, Told, analyse
from webbench.core.benchmark.installed import installed_benchmark
from webbench.core.labels.ledger import FOLDER as LABELS
from webbench.core.settings.locations import data_sets_folder, taxonomies_folder
from webbench.core.store.index.index import BUSY_SECONDS, SETTLED_NS
from webbench.core.store.pools import members
from webbench.core.store.store import Store

FILE = "analyses.sqlite"
MOST_KEPT = 16
LARGEST = 64 << 20
"""Bytes of one analysis that is kept."""
_TABLE = "CREATE TABLE IF NOT EXISTS analyses (digest TEXT PRIMARY KEY, used INTEGER, data BLOB)"
DEEPEST = 12
"""Folders below which no input lies."""

_PROGRAM = Path(__file__).resolve().parents[3]
"""Where our packages lie side by side."""

Stamp = tuple[str, int, int]
"""Path, size in bytes, time of the last change in nanoseconds."""


def kept_analysis(
    store: Store,
    runs: Sequence[str],
    *,
    seed: int = 0,
    progress: Progress = lambda _done, _of: None,
    told: Told = lambda _so_far: None,
    again: bool = False,
) -> Analysed:
    """As `analyse`, at once where nothing that it rests on has changed since.

    Args:
        again: work it out whatever was kept.

    Raises `UsageError` as `analyse` does.
    """
    stamps = list(_inputs(store.root, runs))
    digest = _digest(store.root, runs, seed, stamps)
    kept = None if again else _kept(store.root, digest)
    if kept is not None:
        return kept
    found = analyse(store, runs, seed=seed, progress=progress, told=told)
    settled = max((changed for *_, changed in stamps), default=0) < time.time_ns() - SETTLED_NS
    if settled and _is_ours(found.analysis.benchmark):
        _keep(store.root, digest, found)
    return found


def _inputs(root: Path, runs: Sequence[str]) -> Iterator[Stamp]:
    """Every file that an analysis reads, and the names of those that data sets consist of."""
    yield from _program()
    own = [root / one for run in runs for one in members(root, run)]
    for folder in (*own, root / LABELS, root / VERDICTS):
        yield from _stamps(folder)
    yield from _stamps(taxonomies_folder())
    yield from _stamps(data_sets_folder())


@cache
def _program() -> tuple[Stamp, ...]:
    """As it was when this process first asked: that is what runs."""
    return tuple(one for storey in ("core", "benchmarks") for one in _stamps(_PROGRAM / storey)) + _packages()


def _packages() -> tuple[Stamp, ...]:
    """Installed ones by name and version: a plug-in may bring taxonomies."""
    found: set[Stamp] = set()
    for folder in sys.path:
        with contextlib.suppress(OSError):
            found |= {(one.name, 0, 0) for one in Path(folder).iterdir() if one.suffix == ".dist-info"}
    return tuple(sorted(found))


def _is_ours(name: str) -> bool:
    benchmark = installed_benchmark(name)
    return benchmark is None or type(benchmark).__module__.startswith("webbench.")


def _stamps(folder: Path, depth: int = DEEPEST) -> Iterator[Stamp]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda one: one.name)
    except OSError:
        return
    for entry in found:
        with contextlib.suppress(OSError):  # gone meanwhile: the next digest has it
            if not entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                yield entry.path, status.st_size, status.st_mtime_ns
            elif depth and entry.name != "__pycache__":
                yield from _stamps(Path(entry.path), depth - 1)


def _digest(root: Path, runs: Sequence[str], seed: int, stamps: Sequence[Stamp]) -> str:
    asked = [(run, members(root, run)) for run in runs]
    found = hashlib.sha256(repr((os.fspath(root), asked, seed)).encode("utf-8", "surrogatepass"))
    for stamp in stamps:
        found.update(repr(stamp).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


@contextlib.contextmanager
def _opened(root: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(
        sqlite3.connect(root / FILE, timeout=BUSY_SECONDS, isolation_level=None)
    ) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute(_TABLE)
        yield database


def _kept(root: Path, digest: str) -> Analysed | None:
    """None where nothing is kept under the digest, or it can't be read."""
    if not (root / FILE).exists():
        return None
    try:
        with _opened(root) as database:
            asked = "SELECT data FROM analyses WHERE digest = ? AND length(data) <= ?"
            row = database.execute(asked, (digest, LARGEST)).fetchone()
            if row is None:
                return None
            database.execute("UPDATE analyses SET used = ? WHERE digest = ?", (time.time_ns(), digest))
        return msgspec.msgpack.decode(row[0], type=Analysed)
    except (sqlite3.Error, msgspec.DecodeError, RecursionError, TypeError):
        return None


def _keep(root: Path, digest: str, found: Analysed) -> None:
    """Put it beside those used last. A store that can't be written to keeps none; a damaged file goes."""
    try:
        data = msgspec.msgpack.encode(found)
    except UnicodeEncodeError:
        return
    if len(data) > LARGEST:
        return
    try:
        with _opened(root) as database:
            row = (digest, time.time_ns(), data)
            database.execute("INSERT OR REPLACE INTO analyses VALUES (?, ?, ?)", row)
            database.execute(
                "DELETE FROM analyses WHERE digest NOT IN "
                "(SELECT digest FROM analyses ORDER BY used DESC LIMIT ?)",
                (MOST_KEPT,),
            )
    except sqlite3.OperationalError:
        return
    except sqlite3.DatabaseError:
        with contextlib.suppress(OSError):
            (root / FILE).unlink()
