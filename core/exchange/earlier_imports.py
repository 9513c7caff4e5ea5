"""Earlier imports: where imported episodes come from, and which of them a store holds already.

Each imported episode keeps its source in its header's settings under `imported`: format, `from` (path), which
of the place's episodes it is (`number`, from 1), and a `stamp` of the sizes and times of its files; besides
what the source tells of itself (`tool`, its `version`, `format_version`), what was filled in of a known task
(`filled_in`), and where it had come from before (`origin`). So an import that is repeated, or was
interrupted, adds what is missing and nothing twice.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.records import codec, reader
from webbench.core.store.records.recorder import HEADER
from webbench.core.trajectory import IMPORTED, RunHeader

if TYPE_CHECKING:
    from webbench.core.store.store import Store

MOST_STAMPED = 20_000
"""Files of a folder that its stamp is made from."""


class Source(msgspec.Struct, frozen=True, omit_defaults=True, rename={"path": "from"}):
    """Where an episode was imported from, and when; as a setting of its header."""

    format: str
    path: str
    number: int = 0
    stamp: str = ""
    at: str = ""

    def setting(self) -> JsonObject:
        found: JsonObject = msgspec.to_builtins(self)
        return found


class Kept(msgspec.Struct, frozen=True):
    """An episode that came from a source."""

    run: str
    episode: str
    stamp: str


class _Settings(msgspec.Struct):
    imported: Source | None = None
    attempt: str = ""


class _Header(msgspec.Struct):
    """As much of an episode's header as is needed here."""

    ended: str = ""
    settings: _Settings = msgspec.field(default_factory=_Settings)


class Sources:
    """What earlier imports have brought into a store; read when first asked for a format.

    Args:
        store: None for a dry run, to which nothing is known.
        again: take everything for new.
    """

    def __init__(self, store: Store | None, *, again: bool = False) -> None:
        self._root = store.root if store is not None else None
        self._labels = ledger_of(store) if store is not None else None
        self._again = again
        self._runs: list[tuple[str, RunHeader]] | None = None
        self._kept: dict[str, dict[tuple[str, int], list[Kept]]] = {}
        self._attempts: dict[tuple[str, str], tuple[str, int]] = {}
        self._labelled: set[tuple[str, str]] | None = None
        self.episodes: Counter[str] = Counter()
        """Episodes that each run was found to hold."""

    def kept(self, source: Source) -> list[Kept]:
        """The finished episodes from this place and number, whatever its files were then."""
        if self._again or self._root is None:
            return []
        if source.format not in self._kept:
            self._kept[source.format] = self._read(source.format)
        return self._kept[source.format].get((source.path, source.number), [])

    def told_elsewhere(self, source: Source, attempt: str) -> bool:
        """Whether another place has told of an attempt; the first that does is the attempt's own.

        Args:
            attempt: its name among those of the format.
        """
        if not self._again and source.format not in self._kept:
            self._kept[source.format] = self._read(source.format)
        here = (source.path, source.number)
        return self._attempts.setdefault((source.format, attempt), here) != here

    def run(self, source: Source, benchmark: str, actor: str) -> str:
        """The run that an earlier import of this root made for a benchmark and an actor, "" for none."""
        if self._again:
            return ""
        wanted = (source.format, source.path, benchmark, actor)
        for name, header in self._headers():
            found = _source(header.settings)
            if found is not None and (found.format, found.path, header.benchmark, header.agent) == wanted:
                return name
        return ""

    def is_labelled(self, kept: Kept) -> bool:
        """Whether anybody is through with the episode, as whoever came with it is from the start."""
        if self._labelled is None:
            done = self._labels.book().done if self._labels is not None else ()
            self._labelled = {(run, episode) for run, episode, _, _ in done}
        return (kept.run, kept.episode) in self._labelled

    def _headers(self) -> list[tuple[str, RunHeader]]:
        """Runs that were imported, the newest first."""
        if self._runs is None:
            found = _runs(self._root) if self._root is not None else ()
            self._runs = [one for one in found if IMPORTED in one[1].settings]
        return self._runs

    def _read(self, format: str) -> dict[tuple[str, int], list[Kept]]:
        found: dict[tuple[str, int], list[Kept]] = {}
        root = self._root or Path()
        for run, header in self._headers():
            made = _source(header.settings)
            for path in (root / run).glob(f"*/{HEADER}") if made and made.format == format else ():
                self.episodes[run] += 1
                header_read = _finished(path)
                source = header_read.imported if header_read is not None else None
                if header_read is not None and source is not None:
                    if header_read.attempt:
                        place = (source.path, source.number)
                        self._attempts.setdefault((format, header_read.attempt), place)
                    kept = Kept(run, path.parent.name, source.stamp)
                    found.setdefault((source.path, source.number), []).append(kept)
        return found


def stamp(path: Path) -> str:
    """Changes when a file, or the files of a folder, are others: by their names, sizes and times."""
    digest = hashlib.sha256()
    for name, status in sorted(_files(path)):
        digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _files(path: Path) -> Iterator[tuple[str, os.stat_result]]:
    if not path.is_dir():
        yield from _status(path, "")
        return
    left = MOST_STAMPED
    for folder, _, names in os.walk(path):
        for name in names[:left]:
            one = Path(folder) / name
            yield from _status(one, str(one.relative_to(path)))
        left -= len(names)
        if left <= 0:
            return


def _status(path: Path, name: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        yield name, path.lstat()
    except OSError:
        return


def _runs(root: Path) -> Iterator[tuple[str, RunHeader]]:
    for path in sorted(root.glob(f"*/{reader.RUN}"), reverse=True):
        try:
            yield path.parent.name, reader.read_run(path.parent)
        except BadData:
            continue


def _source(settings: JsonObject) -> Source | None:
    try:
        return msgspec.convert(settings.get(IMPORTED), Source | None)
    except msgspec.ValidationError:
        return None


def _finished(path: Path) -> _Settings | None:
    """Where an episode was imported from; None for one without an end."""
    try:
        header = codec.decode(path.read_bytes(), _Header)
    except (OSError, msgspec.DecodeError):
        return None
    return header.settings if header.ended else None
