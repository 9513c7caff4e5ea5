"""A file or folder to import from: read within bounds, and never outside the folder that was named."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from webbench.core import bounded_json
from webbench.core.errors import BadData
from webbench.core.json_types import Json

HEAD = 4096
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes that are read as one piece, unpacked; longer files only line by line."""
LONGEST_LINE = 64 * 1024 * 1024
MOST_NAMES = 20_000
"""Names of a folder that are looked at."""
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"


class Place:
    """One path below the folder that is imported.

    Args:
        path: the file or folder; links are followed only to places below `root`.
        root: what the user named.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.root = root

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def names(self) -> frozenset[str]:
        """What the folder holds, at most `MOST_NAMES`; empty for a file."""
        if not self.is_folder:
            return frozenset()
        try:
            with os.scandir(self.path) as entries:
                return frozenset(entry.name for entry, _ in zip(entries, range(MOST_NAMES), strict=False))
        except OSError:
            return frozenset()

    def __truediv__(self, name: str) -> Place:
        return Place(self.path / name, self.root)

    @property
    def parent(self) -> Place:
        """The folder around it; at the top the root itself."""
        return self if self.path == self.root else Place(self.path.parent, self.root)

    @property
    def confined(self) -> bool:
        """Whether it is a regular file or folder that really lies below the root."""
        try:
            real = self.path.resolve(strict=True)
        except (OSError, RuntimeError):
            return False
        return real.is_relative_to(self.root.resolve()) and (real.is_file() or real.is_dir())

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a file, or of what a gzip file holds; b"" where there are none to be read."""
        if self.is_folder or not self.confined:
            return b""
        try:
            with self.path.open("rb") as file:
                first = file.read(HEAD)
            if first.startswith(_GZIP):
                first = zlib.decompressobj(31).decompress(first, HEAD)
        except (OSError, zlib.error):
            return b""
        return first.removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def tail(self) -> bytes:
        """The last bytes of a file that is not packed; b"" where there are none to be read."""
        if self.is_folder or not self.confined:
            return b""
        try:
            with self.path.open("rb") as file:
                file.seek(max(0, self.path.stat().st_size - HEAD))
                return file.read(HEAD)
        except OSError:
            return b""

    def has_text(self, *texts: str) -> bool:
        """Whether the head holds all of these."""
        return all(text.encode() in self.head for text in texts)

    def read(self, largest: int = LARGEST_FILE) -> bytes:
        """The whole file, unpacked where it is gzip. Raises `BadData`."""
        pieces, size = [], 0
        for piece in self._pieces():
            size += len(piece)
            if size > largest:
                raise BadData(f"{self} is larger than {largest // 1024**2} MiB", "import its parts alone")
            pieces.append(piece)
        return b"".join(pieces)

    def text(self, largest: int = LARGEST_FILE) -> str:
        """Its text; bytes that are no UTF-8 become U+FFFD. Raises `BadData`."""
        return self.read(largest).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")

    def json(self, largest: int = LARGEST_FILE) -> Json:
        """Its JSON value. Raises `BadData` with what is wrong, and where."""
        try:
            return bounded_json.decode(self.text(largest))
        except (ValueError, RecursionError) as error:
            raise BadData(f"{self} is no readable JSON: {error}") from error

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines without their ends; one that is too long is given as b"".

        Raises `BadData` where the file can't be read (any further); the lines before have been given.
        """
        number, pending, skipping = 0, b"", False
        for piece in self._pieces():
            *whole, rest = (pending + piece).split(b"\n")
            for line in whole:
                number += 1
                yield number, b"" if skipping else line.removesuffix(b"\r")
                skipping = False
            pending = rest
            if len(pending) > LONGEST_LINE:
                pending, skipping = b"", True
        if pending or skipping:
            yield number + 1, b"" if skipping else pending

    def _pieces(self) -> Iterator[bytes]:
        if not self.confined:
            raise BadData(f"{self} does not lie in {self.root}", "links out of the folder are not followed")
        try:
            with self.path.open("rb") as plain:
                packed = plain.read(2) == _GZIP
                plain.seek(0)
                source = gzip.open(plain) if packed else plain  # noqa: SIM115 - closed with `plain`
                while piece := source.read(_CHUNK):
                    yield piece
        except (OSError, EOFError, zlib.error) as error:
            told = getattr(error, "strerror", None) or error
            raise BadData(f"{self} can't be read: {told}") from error
