"""The ledger of labels and disputes: `<store>/labels/`, one append-only file of lines per annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import cast
from weakref import WeakKeyDictionary

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import (
    SCHEMA_VERSION,
    Dispute,
    Done,
    Entry,
    Label,
    Memo,
    Ruling,
    is_pseudonym,
    pseudonym,
)
from webbench.core.labels.versions import CodebookFiles, Versions, followed
from webbench.core.store.bin import deleted_runs
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import append_whole, writing
from webbench.core.store.records.line_files import appending, read_lines
from webbench.core.store.secrets.redaction import Redaction
from webbench.core.store.store import Store
from webbench.core.trajectory import now

FOLDER = "labels"
ENDING = ".jsonl"
LONGEST_LINE = 1 << 20
"""Bytes; a longer one is none of ours."""
LARGEST_FILE = 256 << 20
"""Bytes of one annotator's file."""

_FREE_TEXT = ("note", "reason", "quote", "text")

_ledgers: WeakKeyDictionary[Store, Ledger] = WeakKeyDictionary()
"""One for each open store, so that only files that changed are read again."""


def ledger_of(store: Store) -> Ledger:
    """The labels that lie beside a store's runs."""
    return _ledgers.setdefault(store, Ledger(store.root, store.redaction))


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """All entries that hold, superseded ones left out, in order of annotators and lines.

    Attributes:
        labels: without those that were withdrawn; adjudicated ones (`settles`) among them. Codes of a
            codebook are as its newest version has them; on disk they stay as they were given.
        done: (run, episode, taxonomy, annotator) of whoever is through with an episode; `finished` says when.
        begun: time spent on episodes that somebody is not through with, or no longer.
        first: when each (run, episode, taxonomy, annotator) was labelled first, whatever became of the label.
        problems: lines that could not be read.
        of_deleted: how many entries are left out, because their run was deleted.
    """

    labels: tuple[Label, ...] = ()
    done: frozenset[tuple[str, str, str, str]] = frozenset()
    finished: tuple[Done, ...] = ()
    begun: tuple[Done, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    memos: tuple[Memo, ...] = ()
    first: dict[tuple[str, str, str, str], str] = {}
    problems: tuple[str, ...] = ()
    of_deleted: int = 0


class _Lines(msgspec.Struct, frozen=True):
    """One annotator's file as it was read; `stamp` is its time and size."""

    stamp: tuple[int, int] = (0, 0)
    entries: list[Entry] = []
    problems: list[str] = []


class Ledger:
    """The labels of one store; several processes and annotators may write at the same time.

    Args:
        redaction: what is replaced in notes, reasons and quotes before they are written.

    Attributes:
        codebooks: those that people write in this store.
    """

    def __init__(self, root: Path, redaction: Redaction | None = None) -> None:
        self.folder = root / FOLDER
        self.codebooks = CodebookFiles(self.folder, root)
        self._root = root
        self._redaction = redaction
        self._read: dict[Path, _Lines] = {}
        self._held: tuple[object, Book] | None = None

    def add(self, entries: Iterable[Entry], *, durable: bool = True) -> list[Entry]:
        """Append entries to their annotators' files; as written, with the time filled in.

        Args:
            durable: they are on disk when this returns.

        Raises `UsageError` for a name that can't be an annotator's, `StoreUnwritable` where nothing of one
        annotator's entries was kept.
        """
        written = [self._prepared(entry) for entry in entries]
        files: dict[str, list[Entry]] = {}
        for entry in written:
            files.setdefault(pseudonym(entry.annotator), []).append(entry)
        for annotator, own in files.items():
            self._append(annotator, b"".join(codec.encode(entry) + b"\n" for entry in own), durable)
        return written

    def annotators(self) -> list[str]:
        """Everybody who ever wrote something, in alphabetical order."""
        return [path.name.removesuffix(ENDING) for path in self._files()]

    def book(self) -> Book:
        """What holds now; put together again only where a file changed.

        Raises `BadData` for anything that a newer release wrote.
        """
        files = [(path, self._entries(path)) for path in self._files()]
        deleted = deleted_runs(self._root) if files else frozenset()
        stamps = (*((path, lines.stamp) for path, lines in files), *self.codebooks.stamps(), deleted)
        if self._held is None or self._held[0] != stamps:
            self._held = stamps, _book([lines for _, lines in files], self.codebooks.all(), deleted)
        return self._held[1]

    def stamps(self) -> tuple[object, ...]:
        """Changes when anything does that `book` is made of, for caches of what it says."""
        files = self._files()
        if not files:
            return ()
        deleted = tuple(sorted(deleted_runs(self._root)))
        return (*((path.name, _stamp(path)) for path in files), *self.codebooks.stamps(), deleted)

    def redacted(self, text: str) -> str:
        """As it may be written down."""
        return self._redaction.text(text) if self._redaction is not None and self._redaction.active else text

    def _prepared(self, entry: Entry) -> Entry:
        changes: dict[str, str] = {} if entry.at else {"at": now()}
        if self._redaction is not None and self._redaction.active:
            known = entry.__struct_fields__
            texts = {name: getattr(entry, name) for name in _FREE_TEXT if name in known}
            changes |= {name: self.redacted(text) for name, text in texts.items()}
        return msgspec.structs.replace(entry, **changes) if changes else entry

    def _append(self, annotator: str, data: bytes, durable: bool) -> None:
        """All of it or nothing; what a killed writer left of a line is closed off first."""
        path = self.folder / f"{annotator}{ENDING}"
        with writing(self._root, f"what {annotator} said"):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._refuse_likeness(annotator)
            with appending(path, durable=durable) as file:
                append_whole(file, data, durable=durable)

    def _refuse_likeness(self, annotator: str) -> None:
        """Two names that differ in case alone would be one file elsewhere."""
        like = [name for name in self.annotators() if name.casefold() == annotator.casefold()]
        if like and annotator not in like:
            raise UsageError(f'There is an annotator "{like[0]}" already', "write the name the same way")

    def _files(self) -> list[Path]:
        """The annotators' files; links and whatever else lies there are none."""
        try:
            found = sorted(self.folder.iterdir())
        except OSError:
            return []
        return [
            path
            for path in found
            if path.suffix == ENDING
            and is_pseudonym(path.name.removesuffix(ENDING))
            and path.is_file()
            and not path.is_symlink()
        ]

    def _entries(self, path: Path) -> _Lines:
        """The lines of a file, read again only where it changed."""
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if status.st_size > LARGEST_FILE:
                told = f"{path} was not read: it is larger than {LARGEST_FILE >> 20} MiB"
                return _Lines(stamp, problems=[told])
            known = self._read.get(path)
            if known is None or known.stamp != stamp:
                self._read[path] = known = _lines(path, stamp)
        except OSError as error:
            return _Lines(problems=[f"{path} can't be read: {error.strerror or error}"])
        return known


def _stamp(path: Path) -> tuple[int, int]:
    """Time and size of a file; (0, 0) where it can't be told."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _lines(path: Path, stamp: tuple[int, int]) -> _Lines:
    read = partial(_entry, path.name.removesuffix(ENDING))
    entries, problems = read_lines(path.read_bytes(), path, read, "the entry")
    return _Lines(stamp, entries, problems)


def _entry(annotator: str, line: bytes, where: str) -> Entry:
    if len(line) > LONGEST_LINE:
        raise BadData(f"{where} is longer than {LONGEST_LINE} bytes")
    entry = codec.decode_record(line, cast("type[Entry]", Entry), SCHEMA_VERSION, where)
    if entry.annotator != annotator:
        raise BadData(f"{where} says that it is {entry.annotator[:40]!r}'s, in the file of {annotator}")
    return entry


def _book(files: Sequence[_Lines], codebooks: Mapping[str, Versions], deleted: Set[str]) -> Book:
    """What is left when later lines have superseded earlier ones; between annotators time decides.

    What is said of deleted runs stays on the disk, and holds again once they are restored.
    """
    held: dict[tuple[object, ...], Entry] = {}
    first: dict[tuple[str, str, str, str], str] = {}
    for entry in (followed(entry, codebooks) for lines in files for entry in lines.entries):
        earlier = held.get(entry.key)
        if earlier is None or earlier.annotator == entry.annotator or earlier.at <= entry.at:
            held[entry.key] = entry
        if isinstance(entry, Label) and not entry.settles:
            began = (entry.run, entry.episode, entry.taxonomy, entry.annotator)
            first[began] = min(first.get(began, entry.at), entry.at)
    entries = [one for one in held.values() if one.run not in deleted]
    left_out = len(held) - len(entries)
    return Book(
        of_deleted=left_out,
        labels=tuple(one for one in entries if isinstance(one, Label) and not one.withdrawn),
        done=frozenset(
            (one.run, one.episode, one.taxonomy, one.annotator)
            for one in entries
            if isinstance(one, Done) and not one.reopened
        ),
        finished=tuple(one for one in entries if isinstance(one, Done) and not one.reopened),
        begun=tuple(one for one in entries if isinstance(one, Done) and one.reopened),
        disputes=tuple(one for one in entries if isinstance(one, Dispute) and not one.withdrawn),
        rulings=tuple(one for one in entries if isinstance(one, Ruling)),
        memos=tuple(one for one in entries if isinstance(one, Memo) and one.text),
        first=first,
        problems=(
            *(problem for lines in files for problem in lines.problems),
            *(problem for versions in codebooks.values() for problem in versions.problems),
        ),
    )
