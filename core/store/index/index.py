"""A SQLite cache of all headers, so that lists cost one look at the folders; deleting it loses nothing."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.index.filters import VISITOR, EpisodeFilter, conditions, searched, status_of
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary, read_summary
from webbench.core.store.records import codec
from webbench.core.store.records.later_scores import FILE as LATER_SCORES
from webbench.core.store.records.names import is_name
from webbench.core.store.records.reader import RUN, read_run
from webbench.core.store.records.recorder import HEADER
from webbench.core.store.run_notes import read_notes
from webbench.core.text.plain_text import without_surrogates
from webbench.core.trajectory import IMPORTED

FILE = "index.sqlite"
FORMAT = 13
"""Of the tables; another one is thrown away and built anew."""

BUSY_SECONDS = 5.0

SETTLED_NS = 2_000_000_000
"""A folder that changed less than this before it was read may have changed again unseen."""

UNSETTLED = -1
"""In place of the time of a folder's change, where that says nothing."""

_TABLES = f"""
CREATE TABLE runs (
    run TEXT PRIMARY KEY, changed INTEGER, read INTEGER, summary BLOB, name_folded TEXT, tags_folded TEXT
);
CREATE TABLE episodes (
    run TEXT, episode TEXT, changed INTEGER, size INTEGER, open INTEGER, again INTEGER, later INTEGER,
    value REAL, actor TEXT, mixed INTEGER, started TEXT, benchmark TEXT, status TEXT, resumes TEXT,
    benchmark_folded TEXT, run_folded TEXT, actor_folded TEXT, task_folded TEXT, site_folded TEXT,
    {" TEXT, ".join(f"{field}_folded" for field in VISITOR)} TEXT, searched TEXT, summary BLOB,
    PRIMARY KEY (run, episode)
) WITHOUT ROWID;
CREATE INDEX episode_names ON episodes (episode);
CREATE INDEX figures_of_runs ON episodes (run, again, value, mixed, actor, started, later);
CREATE INDEX episodes_of_benchmark ON episodes (benchmark);
CREATE INDEX resumptions ON episodes (resumes) WHERE resumes <> '';
CREATE INDEX open_episodes ON episodes (run) WHERE open;
PRAGMA user_version = {FORMAT};
"""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How the folders of a store stand.

    Attributes:
        runs: when the folder of each run changed (nanoseconds), `UNSETTLED` where it may change again unseen.
        unfinished: (run, episode) of those that may still be written.
    """

    runs: dict[str, int]
    unfinished: set[tuple[str, str]]


class Index:
    """Summaries of all runs and episodes; every answer is up to date with the folders.

    A damaged, locked or unwritable cache is replaced: by a new file, else by one in memory.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._memory: sqlite3.Connection | None = None

    @contextlib.contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """A connection to refreshed tables."""
        with self._lock:
            database = self._in_file()
            if database is None:
                yield self._in_memory()
            else:
                with contextlib.closing(database):
                    yield database

    def rebuild(self) -> bool:
        """Read every header again; whether the cache file could be written."""
        with self._lock:
            self._memory = None
            database = self._in_file()
            if database is None:
                return False
            with contextlib.closing(database):
                database.execute("PRAGMA user_version = 0")
                _refresh(database, self.root)
            return True

    def runs(self) -> list[RunSummary]:
        """Newest first; those of which nobody knows when they began come last."""
        with self.opened() as database:
            rows = database.execute(
                "SELECT r.summary, count(e.episode) - total(e.again), count(e.value), "
                "CASE WHEN min(e.mixed) THEN avg(e.value) ELSE avg(e.value) FILTER (WHERE NOT e.mixed) END, "
                "CASE WHEN min(e.mixed) THEN 0 ELSE total(e.mixed) END, "
                "CASE WHEN total(e.mixed) THEN json_group_array(DISTINCT e.actor) ELSE '[]' END, "
                "min(nullif(e.started, '')), total(e.later) "
                "FROM runs r LEFT JOIN episodes e USING (run) WHERE r.summary IS NOT NULL "
                "GROUP BY r.run"
            ).fetchall()
        found = [_counted(*row) for row in rows]
        return sorted(found, key=lambda one: (one.started, one.run), reverse=True)

    def episodes(self, run: str = "") -> list[EpisodeSummary]:
        """Of one run, or of all, by run and order of execution."""
        with self.opened() as database:
            rows = database.execute(
                "SELECT summary FROM episodes WHERE ?1 = '' OR run = ?1 ORDER BY run, episode", (run,)
            ).fetchall()
        return [codec.decode(summary, EpisodeSummary) for (summary,) in rows]

    def select(self, wanted: EpisodeFilter) -> list[EpisodeSummary]:
        """The episodes that a filter lets through, by run and order of execution."""
        where, values = conditions(wanted)
        with self.opened() as database:
            rows = database.execute(
                f"SELECT summary FROM episodes WHERE {where} ORDER BY run, episode",  # noqa: S608 - no foreign text
                values,
            ).fetchall()
        return [codec.decode(summary, EpisodeSummary) for (summary,) in rows]

    def names_of(self, wanted: EpisodeFilter) -> set[tuple[str, str]]:
        """(run, episode) of those that a filter lets through, without a look at anything else of them."""
        where, values = conditions(wanted)
        with self.opened() as database:
            return set(
                database.execute(
                    f"SELECT run, episode FROM episodes WHERE {where}",  # noqa: S608 - no foreign text
                    values,
                )
            )

    def summaries(self, places: Iterable[tuple[str, str]]) -> list[EpisodeSummary]:
        """Of these (run, episode), in the same order; those that aren't there are left out."""
        asked = "SELECT summary FROM episodes WHERE run = ? AND episode = ?"
        with self.opened() as database:
            rows = [database.execute(asked, place).fetchone() for place in places]
        return [codec.decode(row[0], EpisodeSummary) for row in rows if row is not None]

    def standing(self) -> Standing:
        """What a cache of one's own can tell by that it is up to date."""
        with self.opened() as database:
            return Standing(
                runs={
                    run: changed if read - changed > SETTLED_NS else UNSETTLED
                    for run, changed, read in database.execute("SELECT run, changed, read FROM runs")
                },
                unfinished=set(database.execute("SELECT run, episode FROM episodes WHERE open")),
            )

    def stamps(self, run: str) -> dict[str, tuple[int, int]]:
        """Time and size of the header of each episode of a run, as they were when it was read."""
        with self.opened() as database:
            rows = database.execute("SELECT episode, changed, size FROM episodes WHERE run = ?", (run,))
            return {episode: (changed, size) for episode, changed, size in rows}

    def attempts(self, benchmark: str) -> list[EpisodeSummary]:
        """The episodes of a benchmark in all runs."""
        with self.opened() as database:
            rows = database.execute(
                "SELECT summary FROM episodes WHERE benchmark = ? ORDER BY run, episode", (benchmark,)
            ).fetchall()
        return [codec.decode(summary, EpisodeSummary) for (summary,) in rows]

    def resumed(self) -> set[str]:
        """Names of the episodes that another one has repeated to their end and goes on from."""
        with self.opened() as database:
            return {name for (name,) in database.execute("SELECT resumes FROM episodes WHERE resumes <> ''")}

    def names(self, prefix: str, run: str = "") -> list[tuple[str, str]]:
        """(run, episode) of all episodes whose name starts so."""
        with self.opened() as database:
            return database.execute(
                "SELECT run, episode FROM episodes WHERE episode >= ?1 AND episode < ?2 "
                "AND (?3 = '' OR run = ?3) ORDER BY run, episode",
                (prefix, prefix + "\U0010ffff", run),
            ).fetchall()

    def _in_file(self) -> sqlite3.Connection | None:
        """The cache file, made anew where it was damaged; None where there can be none."""
        for _ in range(2):
            try:
                database = sqlite3.connect(self.root / FILE, timeout=BUSY_SECONDS, isolation_level=None)
                try:
                    database.execute("PRAGMA journal_mode = WAL")
                    database.execute("PRAGMA synchronous = NORMAL")
                    _refresh(database, self.root)
                except BaseException:
                    database.close()
                    raise
            except sqlite3.OperationalError:
                return None
            except sqlite3.DatabaseError:
                self._discard()
            else:
                return database
        return None

    def _in_memory(self) -> sqlite3.Connection:
        if self._memory is None:
            self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _refresh(self._memory, self.root)
        return self._memory

    def _discard(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                (self.root / f"{FILE}{ending}").unlink()


def _counted(
    summary: bytes,
    episodes: float,
    scored: int,
    mean: float | None,
    mixed: float,
    actors: str,
    first_started: str | None,
    later: float,
) -> RunSummary:
    """With the figures of its episodes, and all their actors where an agent's run isn't the agent's alone.

    An imported run began when its first episode did, as far as the source tells.
    """
    run = codec.decode(summary, RunSummary)
    return msgspec.structs.replace(
        run,
        started=(first_started or "") if run.imported else run.started,
        agent=", ".join(sorted(json.loads(actors))) or run.agent,
        episodes=int(episodes),
        scored=scored,
        mean_score=mean,
        mixed=int(mixed),
        later=int(later),
    )


def _refresh(database: sqlite3.Connection, root: Path) -> None:
    """Bring the tables up to date; only runs whose folder changed are read again."""
    folders = {
        entry.name: entry.stat(follow_symlinks=False).st_mtime_ns
        for entry in _folders(root)
        if is_name(entry.name)
    }
    if _format(database) == FORMAT and not _stale(database, folders):
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        if _format(database) != FORMAT:
            _create(database)
        stale = _stale(database, folders)
        for run in stale:
            if run in folders:
                _read_run(database, root / run, folders[run])
            else:
                database.execute("DELETE FROM runs WHERE run = ?", (run,))
                database.execute("DELETE FROM episodes WHERE run = ?", (run,))
        database.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


def _format(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _create(database: sqlite3.Connection) -> None:
    for table in ("runs", "episodes"):
        database.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _TABLES.split(";"):
        if statement.strip():
            database.execute(statement)


def _stale(database: sqlite3.Connection, folders: dict[str, int]) -> set[str]:
    """Runs that are new, gone, changed, or were read too soon after a change."""
    known = {
        run: changed if read - changed > SETTLED_NS else UNSETTLED
        for run, changed, read in database.execute("SELECT run, changed, read FROM runs")
    }
    return {run for run in known.keys() | folders.keys() if known.get(run) != folders.get(run)}


def _read_run(database: sqlite3.Connection, folder: Path, changed: int) -> None:
    read = time.time_ns()
    run = folder.name
    known = {
        episode: (changed, size)
        for episode, changed, size in database.execute(
            "SELECT episode, changed, size FROM episodes WHERE run = ?", (run,)
        )
    }
    for entry in _folders(folder):
        stamp = _stamp(entry.path) if is_name(entry.name) else None
        if stamp is not None and known.pop(entry.name, None) != stamp:
            _put_episode(database, folder / entry.name, stamp)
    database.executemany(
        "DELETE FROM episodes WHERE run = ? AND episode = ?", [(run, episode) for episode in known]
    )
    summary = _run_summary(folder)
    said = (summary.name, "\n".join(summary.tags)) if summary is not None else ("", "")
    told = [without_surrogates(text.casefold()) for text in said]
    encoded = codec.encode(summary) if summary is not None else None
    database.execute(
        "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", (run, changed, read, encoded, *told)
    )


def _put_episode(database: sqlite3.Connection, folder: Path, stamp: tuple[int, int]) -> None:
    summary = read_summary(folder)
    row = (
        summary.run,
        summary.episode,
        *stamp,
        summary.state == "interrupted",
        summary.attempt > 0,
        bool(summary.later),
        summary.value,
        summary.actor,
        summary.mixed,
        summary.started,
        summary.benchmark,
        status_of(summary),
        summary.resumes,
        *(text.casefold() for text in (summary.benchmark, summary.run, summary.actor, summary.task)),
        summary.site.casefold(),
        *(str(getattr(summary, field)).casefold() for field in VISITOR),
        searched(summary),
        codec.encode(summary),
    )
    marks = ", ".join("?" * len(row))
    put = f"INSERT OR REPLACE INTO episodes VALUES ({marks})"  # noqa: S608 - only marks
    try:
        database.execute(put, row)
    except UnicodeEncodeError:
        database.execute(put, [without_surrogates(value) for value in row])


def _run_summary(folder: Path) -> RunSummary | None:
    """None for a folder that is no run: it has neither a header nor an episode."""
    if not (folder / RUN).exists() and not any(folder.glob(f"*/{HEADER}")):
        return None
    try:
        header = read_run(folder)
    except BadData as error:
        summary = RunSummary(run=folder.name, problem=error.message)
    else:
        summary = RunSummary(
            run=folder.name,
            benchmark=header.benchmark,
            agent=header.agent,
            planned=header.planned,
            started=header.started,
            imported=header.started if IMPORTED in header.settings else "",
        )
    with contextlib.suppress(BadData):  # of a newer release: the run is listed all the same
        notes = read_notes(folder)
        said = {field: getattr(notes, field) for field in ("name", "tags", "note", "archived")}
        return msgspec.structs.replace(summary, **said)
    return summary


def _folders(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _stamp(folder: str) -> tuple[int, int] | None:
    """Time of the last change and size of header and later scores, None where there is no header."""
    header = _change(f"{folder}{os.sep}{HEADER}")
    later = _change(f"{folder}{os.sep}{LATER_SCORES}") if header is not None else None
    if header is None or later is None:
        return header
    return max(header[0], later[0]), header[1] + later[1]


def _change(file: str) -> tuple[int, int] | None:
    """Time of the last change, in nanoseconds, and size; None where there is no file."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a Path for each of 10,000 episodes takes about three times as long
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
