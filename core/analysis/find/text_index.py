"""The text index of a store: a SQLite FTS5 cache of all texts, made from files; deleting it loses nothing.

A text that occurs several times, such as a page that many steps show, is in it once. What is new or changed
is read when something is looked for: the store's own index tells which runs to look into.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import zstandard

from webbench.core.analysis.find.indexed_texts import (
    MOST_CHARACTERS,
    OF_PEOPLE,
    PLACES,
    EpisodeTexts,
    SeenPage,
    Text,
    said_of,
)
from webbench.core.analysis.find.wanted_text import spaced
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.labels.ledger import ledger_of
from webbench.core.scoring.judges.kept_replies import FILE as REPLIES
from webbench.core.store.index.index import UNSETTLED
from webbench.core.store.records.recorder import STEPS
from webbench.core.store.store import Store

FILE = "find.sqlite"
FORMAT = 2
"""Of the tables and of what is put into them; another one is thrown away and built anew."""
NO_TEXT = 0
"""In place of a page's dialogue: its turns are those of the step that had them first."""
BUSY_SECONDS = 5.0
AT_ONCE = 50
"""Episodes that are kept together: what was read is not lost when reading is broken off."""
LEVEL = 3
LARGEST = 1 << 60
MOST_NAMED = 3
"""Lines of labels that could not be read, and are named."""
SHORT = 100
"""Characters of a text that compression would not make shorter."""

_TABLES = ("meta", "runs", "episodes", "texts", "words", "places", "pages")
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE runs (run TEXT PRIMARY KEY, changed INTEGER) WITHOUT ROWID;
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY, run TEXT, episode TEXT, stamp TEXT,
    cut INTEGER, unread_pages INTEGER, problem TEXT,
    UNIQUE (run, episode)
);
CREATE TABLE texts (id INTEGER PRIMARY KEY, digest BLOB UNIQUE, packed BLOB);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='unicode61 remove_diacritics 2');
CREATE TABLE places (
    text INTEGER, episode INTEGER, step INTEGER, place INTEGER, PRIMARY KEY (text, episode, step, place)
) WITHOUT ROWID;
CREATE INDEX places_of_episodes ON places (episode, place, step);
CREATE TABLE pages (
    blob BLOB, place INTEGER, text INTEGER, cut INTEGER, PRIMARY KEY (blob, place)
) WITHOUT ROWID;
CREATE INDEX pages_of_texts ON pages (text);
PRAGMA user_version = {FORMAT};
"""
Told = Callable[[int, int], None]
"""Is called with the episodes that were read so far, and how many are to be read in all."""


class IndexState(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer of the index rests on.

    Attributes:
        episodes: that were looked through.
        read: of these, how many were new or changed and read just now.
        waiting: episodes that are new or changed and not in it, because another process is at it.
        cut: texts of which only the beginning (`MOST_CHARACTERS`) can be found.
        unread_pages: steps of which there is HTML or a picture and no accessibility tree.
        problems: what could not be read, by "run/episode".
        unread_labels: which of the labels, memos and disputes could not be read, "" for none.
        rebuilt: why the index was made anew, "" where it wasn't.
        kept: False where it can't be written beside the store and is made for this time only.
    """

    episodes: int = 0
    read: int = 0
    waiting: int = 0
    cut: int = 0
    unread_pages: int = 0
    problems: dict[str, str] = {}
    unread_labels: str = ""
    rebuilt: str = ""
    kept: bool = True


class TextIndex:
    """The index of one store. Several processes may use it at the same time."""

    def __init__(self, root: Path) -> None:
        self.path = root / FILE
        self._lock = threading.Lock()
        self._temporary: sqlite3.Connection | None = None
        self._rebuilt = ""

    @contextlib.contextmanager
    def opened(
        self, store: Store, told: Told | None = None
    ) -> Iterator[tuple[sqlite3.Connection, IndexState]]:
        """A connection to tables that are up to date, and what they rest on.

        Raises `EnvironmentDown` where Python's SQLite has no FTS5, and what `told` raises; what was read
        until then stays.
        """
        with self._lock:
            database = self._in_file()
            kept = database is not None
            if database is None:
                database = self._in_temporary_file()
            try:
                update = _Update(store, database, told or _untold)
                update.run()
                yield database, update.state(self._rebuilt, kept=kept)
                self._rebuilt = ""
            finally:
                if kept:
                    database.close()

    def discard(self, why: str) -> None:
        """Throw it away, to be made anew."""
        with self._lock:
            self._rebuilt = why
            self._remove()
            if self._temporary is not None:
                self._temporary.close()
                self._temporary = None

    def _in_file(self) -> sqlite3.Connection | None:
        """The cache file with its tables, made anew where it was damaged; None where there can be none."""
        for _ in range(2):
            database = None
            try:
                is_new = not self.path.exists()
                if not os.access(self.path.parent if is_new else self.path, os.W_OK):
                    return None
                database = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                why = "" if is_new else _unusable(database)
                if why:
                    self._rebuilt = why
                    database.close()
                    self._remove()
                    continue
                _create(database)
            except sqlite3.DatabaseError as error:
                if database is not None:
                    database.close()
                if isinstance(error, sqlite3.OperationalError):
                    return None
                self._rebuilt = "it was damaged"
                self._remove()
            else:
                return database
        return None

    def _in_temporary_file(self) -> sqlite3.Connection:
        if self._temporary is None:
            database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            _create(database)
            self._temporary = database
        return self._temporary

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                Path(f"{self.path}{ending}").unlink()


def _unusable(database: sqlite3.Connection) -> str:
    """Why the tables of this file are not ours; "" where they are, or where there are none yet."""
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if not names and not version:
        return ""
    if version != FORMAT:
        return "it was of another release"
    return "" if names.issuperset(_TABLES) else "it was damaged"


def _create(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA user_version").fetchone()[0] == FORMAT:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        if database.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                database.execute(statement)
        database.execute("COMMIT")
    except sqlite3.OperationalError as error:
        database.execute("ROLLBACK")
        if "fts5" in str(error):
            raise EnvironmentDown(
                "this Python's SQLite has no FTS5, which looks for texts", "take a Python of another build"
            ) from error
        raise


class _Wanting(msgspec.Struct, frozen=True):
    """An episode that is new or changed, with the stamp that says so."""

    run: str
    episode: str
    stamp: str


class _Update:
    """Brings the tables up to date with the folders."""

    def __init__(self, store: Store, database: sqlite3.Connection, told: Told) -> None:
        self.store = store
        self.database = database
        self.told = told
        self.read = 0
        self.waiting = 0
        self._pack = zstandard.ZstdCompressor(level=LEVEL)

    def run(self) -> None:
        standing = self.store.standing()
        known = dict(self.database.execute("SELECT run, changed FROM runs"))
        stale = {
            run: changed
            for run, changed in standing.runs.items()
            if known.get(run) != changed or changed == UNSETTLED
        }
        gone = [run for run in known if run not in standing.runs]
        wanting = [one for run in stale for one in self._changed_of(run)]
        for run, episode in standing.unfinished:  # their run's folder doesn't tell of further steps
            if run not in stale:
                wanting += self._changed_of(run, episode)
        try:
            self._drop(gone, stale)
            for start in range(0, len(wanting), AT_ONCE):
                self._put_episodes(wanting[start : start + AT_ONCE])
                self.told(self.read, len(wanting))
            with self._changing():
                rows = [(run, changed) for run, changed in stale.items() if known.get(run) != changed]
                self.database.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?)", rows)
            self._put_what_people_said()
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            self.waiting = len(wanting) - self.read

    def state(self, rebuilt: str, *, kept: bool) -> IndexState:
        episodes, cut, unread = self.database.execute(
            "SELECT count(*), coalesce(sum(cut), 0), coalesce(sum(unread_pages), 0) FROM episodes"
        ).fetchone()
        problems = self.database.execute(
            "SELECT run || '/' || episode, problem FROM episodes WHERE problem <> '' ORDER BY 1"
        )
        labels = self.database.execute("SELECT value FROM meta WHERE key = 'unread labels'").fetchone()
        return IndexState(
            episodes=episodes,
            read=self.read,
            waiting=self.waiting,
            cut=cut,
            unread_pages=unread,
            problems=dict(problems),
            unread_labels=labels[0] if labels else "",
            rebuilt=rebuilt,
            kept=kept,
        )

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """All of it or nothing."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.database.execute("ROLLBACK")
            raise

    # -- what changed --------------------------------------------------------------------------

    def _changed_of(self, run: str, only: str = "") -> list[_Wanting]:
        known = self._known(run)
        found = []
        for episode, header in self.store.stamps(run).items():
            if only and episode != only:
                continue
            stamp = _stamp(self.store.root / run / episode, header)
            if known.get(episode) != stamp:
                found.append(_Wanting(run, episode, stamp))
        return found

    def _known(self, run: str) -> dict[str, str]:
        return dict(self.database.execute("SELECT episode, stamp FROM episodes WHERE run = ?", (run,)))

    def _drop(self, gone: Iterable[str], stale: Iterable[str]) -> None:
        """Take out the episodes of runs that are gone, and those that are gone from runs that changed."""
        out = [
            *((run, episode) for run in gone for episode in self._known(run)),
            *((run, one) for run in stale for one in self._known(run).keys() - self.store.stamps(run).keys()),
        ]
        if not out and not gone:
            return
        with self._changing():
            for run, episode in out:
                self._remove(run, episode)
            self.database.executemany("DELETE FROM runs WHERE run = ?", [(run,) for run in gone])

    # -- one episode ---------------------------------------------------------------------------

    def _put_episodes(self, some: Iterable[_Wanting]) -> None:
        with self._changing():
            for one in some:
                self._put_episode(one)
                self.read += 1

    def _put_episode(self, wanted: _Wanting) -> None:
        self._remove(wanted.run, wanted.episode)
        self.database.execute("DELETE FROM meta WHERE key = 'ledger'")
        place = self.database.execute(
            "INSERT INTO episodes (run, episode, stamp) VALUES (?, ?, ?)",
            (wanted.run, wanted.episode, wanted.stamp),
        ).lastrowid
        assert place is not None
        try:
            trajectory = self.store.load(self.store.root / wanted.run / wanted.episode)
        except BadData as error:
            self._tell(place, problem=error.message)
            return
        texts, cut = EpisodeTexts(self.store, trajectory), 0
        for one in texts.all():
            if isinstance(one, SeenPage):
                cut += self._put_page(place, texts, one)
            else:
                cut += self._put_text(place, one)[1]
        self._tell(place, cut, texts.pages_without_tree, texts.problem)

    def _tell(self, episode: int, cut: int = 0, unread_pages: int = 0, problem: str = "") -> None:
        self.database.execute(
            "UPDATE episodes SET cut = ?, unread_pages = ?, problem = ? WHERE id = ?",
            (cut, unread_pages, _storable(problem), episode),
        )

    def _put_page(self, episode: int, texts: EpisodeTexts, page: SeenPage) -> int:
        """How many of its texts are cut. A page that was read before is read again only for its dialogue."""
        blob, index = _digest(page.step.observation), _storable_index(page.step.index)
        known = self.database.execute("SELECT place, text, cut FROM pages WHERE blob = ?", (blob,)).fetchall()
        if not known:
            text, cut = self._put_text(episode, texts.of_page(page))
            known = [(PLACES.index("page"), text, cut)] if text else []
            if texts.has_dialogue(page):
                known.append((PLACES.index("dialogue"), NO_TEXT, 0))
            rows = [(blob, *one) for one in known]
            self.database.executemany("INSERT OR IGNORE INTO pages VALUES (?, ?, ?, ?)", rows)
        cuts = 0
        for place, text, cut in known:
            if text == NO_TEXT:
                cuts += self._put_text(episode, texts.new_turns(page))[1]
                continue
            self.database.execute(
                "INSERT OR IGNORE INTO places VALUES (?, ?, ?, ?)", (text, episode, index, place)
            )
            cuts += cut
        return cuts

    def _put_text(self, episode: int, one: Text) -> tuple[int, int]:
        """The text's id (0 for an empty one), and 1 where only its beginning is kept."""
        text = _storable(one.text[:MOST_CHARACTERS]).strip()
        if not text:
            return 0, 0
        digest = _digest(text)
        found = self.database.execute("SELECT id FROM texts WHERE digest = ?", (digest,)).fetchone()
        if found is None:
            row = (digest, self._packed(text))
            key = self.database.execute("INSERT INTO texts (digest, packed) VALUES (?, ?)", row).lastrowid
            self.database.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (key, spaced(text)))
        else:
            key = found[0]
        row_of_place = (key, episode, _storable_index(one.step), PLACES.index(one.where))
        self.database.execute("INSERT OR IGNORE INTO places VALUES (?, ?, ?, ?)", row_of_place)
        return key or 0, int(len(one.text) > MOST_CHARACTERS)

    def _packed(self, text: str) -> bytes | str:
        return text if len(text) < SHORT else self._pack.compress(text.encode())

    def _remove(self, run: str, episode: str) -> None:
        """Take an episode out, with the texts that no other one has."""
        asked = "SELECT id FROM episodes WHERE run = ? AND episode = ?"
        for (key,) in self.database.execute(asked, (run, episode)).fetchall():
            self._remove_places("episode = ?", key)
            self.database.execute("DELETE FROM episodes WHERE id = ?", (key,))

    def _remove_places(self, which: str, *values: int) -> None:
        asked = f"SELECT DISTINCT text FROM places WHERE {which}"  # noqa: S608 - no foreign text
        texts = [text for (text,) in self.database.execute(asked, values)]
        self.database.execute(f"DELETE FROM places WHERE {which}", values)  # noqa: S608 - no foreign text
        for text in texts:
            if self.database.execute("SELECT 1 FROM places WHERE text = ? LIMIT 1", (text,)).fetchone():
                continue
            packed = self.database.execute("SELECT packed FROM texts WHERE id = ?", (text,)).fetchone()[0]
            row = (text, spaced(unpacked(packed)))
            self.database.execute("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", row)
            self.database.execute("DELETE FROM texts WHERE id = ?", (text,))
            # All texts of such a page, as one that has some of them here counts as read.
            asked = "DELETE FROM pages WHERE blob IN (SELECT blob FROM pages WHERE text = ?)"
            self.database.execute(asked, (text,))

    # -- what people said ----------------------------------------------------------------------

    def _put_what_people_said(self) -> None:
        """All of it anew where a file of labels changed, or an episode came or went: it is little."""
        ledger = ledger_of(self.store)
        known = self.database.execute("SELECT value FROM meta WHERE key = 'ledger'").fetchone()
        try:
            stamp = repr(ledger.stamps())
            if known == (stamp,):
                return
            book = ledger.book()
            said, unread = said_of(book), _named(book.problems)
        except BadData as error:  # of a newer release: everything else is found all the same
            stamp, said, unread = "unreadable", {}, error.message
        with self._changing():
            places = ", ".join(str(PLACES.index(one)) for one in OF_PEOPLE)
            self._remove_places(f"place IN ({places})")
            rows = self.database.execute("SELECT id, run, episode FROM episodes")
            ids = {(run, episode): key for key, run, episode in rows}
            for episode, texts in said.items():
                for text in texts if episode in ids else ():
                    self._put_text(ids[episode], text)
            told = [("ledger", stamp), ("unread labels", _storable(unread))]
            self.database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", told)


def _named(problems: Sequence[str]) -> str:
    """The first of these, and how many more there are."""
    more = len(problems) - MOST_NAMED
    return "; ".join(problems[:MOST_NAMED]) + (f"; and {more:,} more" if more > 0 else "")


def unpacked(packed: bytes | str) -> str:
    """A text as it was put in."""
    return packed if isinstance(packed, str) else zstandard.decompress(packed).decode()


def _stamp(folder: Path, header: tuple[int, int]) -> str:
    """Changes when the header, the steps or what judges replied do."""
    parts = [header]
    for name in (STEPS, REPLIES):
        try:
            status = (folder / name).stat()
        except OSError:
            parts.append((0, 0))
        else:
            parts.append((status.st_mtime_ns, status.st_size))
    return " ".join(f"{changed} {size}" for changed, size in parts)


def _storable(text: str) -> str:
    """Without what SQLite takes for an end, or refuses."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _storable_index(step: int) -> int:
    """A step's index as a hostile record may have it, as a number that SQLite takes."""
    return max(-LARGEST, min(step, LARGEST))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _untold(read: int, wanting: int) -> None:
    """Nobody asked."""
