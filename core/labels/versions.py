"""Versions of a codebook: an append-only file with a line for each, and labels read through what changed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import Entry, Label, Memo
from webbench.core.labels.taxonomy import LARGEST_FILE, SCHEMA_VERSION, Taxonomy, refuse_twins
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import append_whole, writing
from webbench.core.store.records.line_files import appending, read_lines

FOLDER = "codebooks"
ENDING = ".jsonl"
LARGEST = 256 << 20
"""Bytes of a codebook's file, all versions together."""


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """All versions of one codebook, the first one first; `problems` are lines that could not be read."""

    versions: tuple[Taxonomy, ...]
    problems: tuple[str, ...] = ()

    @property
    def latest(self) -> Taxonomy:
        return self.versions[-1]

    @property
    def last_change(self) -> Taxonomy | None:
        """The version that `undo` takes back next, None where there is none."""
        undone = self._undone()
        for version in reversed(self.versions):
            change = version.change
            if change is None or change.what in ("begun", "undone") or version.version in undone:
                continue
            return version
        return None

    def version(self, number: int) -> Taxonomy:
        """Raises `UsageError` for one that isn't there."""
        for version in self.versions:
            if version.version == number:
                return version
        last = self.latest.version
        raise UsageError(f"{self.latest.name} has no version {number}", f"they are 1 to {last}")

    def current(self, given: int, code: str) -> str:
        """What a code ("question.code") that was given by version `given` is called now.

        Renamed and merged codes lead on to what they became. A change that was undone is as if it had never
        been; what was named by it is led back.
        """
        undone = self._undone()
        for version in self.versions:
            change = version.change
            if change is None or version.version <= given or version.version in undone:
                continue
            if change.undoes is None:
                if change.what in ("renamed", "merged") and code in change.codes:
                    code = change.into[0]
            elif given >= change.undoes:
                taken_back = self.version(change.undoes).change
                if taken_back is not None and taken_back.what in ("renamed", "split"):
                    code = taken_back.codes[0] if code in taken_back.into else code
        return code

    def history(self, code: str) -> tuple[Taxonomy, ...]:
        """Versions that changed what is now this code ("question.code"), and what it came from."""
        names = {code}
        found = []
        for version in reversed(self.versions):
            change = version.change
            if change is not None and not names.isdisjoint((*change.codes, *change.into)):
                found.append(version)
                if change.what in ("renamed", "merged", "split") and not names.isdisjoint(change.into):
                    names.update(change.codes)
        return tuple(reversed(found))

    def _undone(self) -> set[int]:
        changes = (version.change for version in self.versions)
        return {change.undoes for change in changes if change is not None and change.undoes is not None}


class CodebookFiles:
    """The codebooks of one store, each a file of versions; a file is read again only where it changed.

    Args:
        folder: of the store's labels.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder / FOLDER
        self._root = root
        self._read: dict[Path, tuple[tuple[int, int], Versions]] = {}

    def all(self) -> dict[str, Versions]:
        """By name; a codebook of which nothing can be read is there without versions."""
        return {path.name.removesuffix(ENDING): self._versions(path) for path in self._paths()}

    def stamps(self) -> tuple[object, ...]:
        """Changes when any of them does."""
        found: list[object] = []
        for path in self._paths():
            with contextlib.suppress(OSError):
                status = path.stat()
                found.append((path, status.st_mtime_ns, status.st_size))
        return tuple(found)

    def of(self, name: str) -> Versions | None:
        """One codebook, None where there is none of this name."""
        found = self.all().get(name)
        return found if found is not None and found.versions else None

    def write(self, name: str, made: Callable[[Versions | None], Taxonomy]) -> Taxonomy:
        """Append what `made` makes of the versions so far; nobody else writes meanwhile.

        Raises what `made` raises, `BadData` for more than a codebook can hold, `StoreUnwritable`.
        """
        path = self.folder / f"{name}{ENDING}"
        with writing(self._root, f"the codebook {name}"):
            self.folder.mkdir(parents=True, exist_ok=True)
            with appending(path) as file:
                known = self._versions(path)
                taxonomy = made(known if known.versions else None)
                append_whole(file, _line(taxonomy))
        return taxonomy

    def _paths(self) -> list[Path]:
        try:
            found = sorted(self.folder.iterdir())
        except OSError:
            return []
        return [path for path in found if path.suffix == ENDING and path.is_file() and not path.is_symlink()]

    def _versions(self, path: Path) -> Versions:
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if status.st_size > LARGEST:
                return Versions(versions=(), problems=(f"{path} is larger than {LARGEST >> 20} MiB",))
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                self._read[path] = known = stamp, _versions(path)
        except OSError as error:
            return Versions(versions=(), problems=(f"{path} can't be read: {error.strerror or error}",))
        return known[1]


def followed(entry: Entry, codebooks: Mapping[str, Versions]) -> Entry:
    """A label, or a memo on a code, as the newest version of its codebook reads it."""
    if not isinstance(entry, Label | Memo):
        return entry
    versions = codebooks.get(entry.taxonomy)
    if versions is None or not versions.versions or entry.version >= versions.latest.version:
        return entry
    newest = versions.latest.version
    if isinstance(entry, Memo):
        return msgspec.structs.replace(
            entry, code=versions.current(entry.version, entry.code), version=newest
        )
    code = entry.code or entry.about
    question, _, name = versions.current(entry.version, f"{entry.question}.{code}").partition(".")
    unseen = versions.current(entry.version, f"{entry.question}.{entry.unseen}").partition(".")[2]
    return msgspec.structs.replace(
        entry,
        question=question,
        code=name if entry.code else "",
        about=name if entry.about else "",
        unseen=unseen if entry.unseen else "",
        version=newest,
    )


def _versions(path: Path) -> Versions:
    name = path.name.removesuffix(ENDING)
    data = path.read_bytes()
    found, problems = read_lines(data, path, lambda line, where: _taxonomy(name, line, where), "the version")
    rising: list[Taxonomy] = []
    for version in found:
        if rising and version.version <= rising[-1].version:
            problems.append(f"{path}: version {version.version} after {rising[-1].version} was skipped")
        else:
            rising.append(version)
    return Versions(versions=tuple(rising), problems=tuple(problems))


def _taxonomy(name: str, line: bytes, where: str) -> Taxonomy:
    if len(line) > LARGEST_FILE:
        raise BadData(f"{where} is longer than {LARGEST_FILE} bytes")
    taxonomy = codec.decode_record(line, Taxonomy, SCHEMA_VERSION, where)
    if taxonomy.name != name:
        raise BadData(f"{where} is a version of {taxonomy.name[:40]!r}, in the file of {name}")
    refuse_twins(taxonomy, where)
    return taxonomy


def _line(taxonomy: Taxonomy) -> bytes:
    """As it is read again, so that nothing is written that can't be."""
    line = codec.encode(taxonomy)
    _taxonomy(taxonomy.name, line, "The codebook")
    return line + b"\n"
