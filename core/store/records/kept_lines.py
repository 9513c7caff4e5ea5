"""Kept lines: one JSON object a line in a file of the store that is only ever appended to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import writing
from webbench.core.store.records.line_files import LARGEST_BESIDE, append_line_file, read_lines

Kept = TypeVar("Kept", bound=msgspec.Struct)


class KeptLines(Generic[Kept]):
    """The lines of one file.

    Args:
        root: the store's folder.
        name: of the file in it.
        kind: what a line holds; it has a `schema_version`.
        version: the newest of it that can be read.
        what: in words, for messages: "the history of checks"; `line` the same of one line: "the check".
    """

    def __init__(
        self, root: Path, name: str, kind: type[Kept], version: int, *, what: str, line: str
    ) -> None:
        self._root, self._kind, self._version = root, kind, version
        self._what, self._line = what, line
        self.file = root / name

    def entries(self) -> tuple[list[Kept], list[str]]:
        """In the order in which they were added, and a sentence for each line that can't be read.

        Raises `BadData` for a file that can't be opened, is too large, or that a newer release wrote.
        """
        try:
            if self.file.stat().st_size > LARGEST_BESIDE:
                raise BadData(f"{self.file} is larger than {LARGEST_BESIDE >> 20} MiB", "move it away")
            data = self.file.read_bytes()
        except FileNotFoundError:
            return [], []
        except OSError as error:
            raise BadData(
                f"{self.file} can't be read: {error.strerror or error}", "mend it, or move it away"
            ) from error
        return read_lines(data, self.file, self._read, self._line)

    def add(self, entries: Sequence[Kept]) -> None:
        """On disk when this returns. Raises `StoreUnwritable`."""
        lines = b"".join(codec.encode(one) + b"\n" for one in entries)
        with writing(self._root, self._what):
            self._root.mkdir(parents=True, exist_ok=True)
        append_line_file(self._root, self.file, lines, self._what)

    def _read(self, line: bytes, where: str) -> Kept:
        return codec.decode_record(line, self._kind, self._version, where)
