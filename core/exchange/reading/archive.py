"""Zip files read within bounds, entry by entry; nothing of them is ever unpacked onto the disk.

Left aside, each with its reason: entries whose names lead out of the archive, links, encrypted ones, unusual
compression. A small file that unpacks to a huge one is given up while it is read, whatever its list says.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import IO, BinaryIO, cast

from webbench.core.errors import BadData
from webbench.core.exchange.place import BOMB, FREE, HIGHEST_RATIO, LARGEST_FILE, TOO_LONG, Place, lines_in

MOST_ENTRIES = 50_000
LARGEST_DIRECTORY = 8 * 1024 * 1024
"""Bytes of a zip's list of entries, which is read as one piece."""
LARGEST_TOTAL = 2 * 1024**3
"""Bytes that may be unpacked from one archive, all entries together."""
SIGNATURE = b"PK\x03\x04"

LARGEST_WINDOW = 1 << 27
"""Bytes that unpacking Zstandard may keep at once."""
_CHUNK = 1 << 18
_ZSTANDARD = 93
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTANDARD)
_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Of an entry: signature, and how long its name and its extra fields are."""
_ENCRYPTED = 1
_TROUBLE = (
    zipfile.BadZipFile,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zlib.error,
)


class Archive:
    """An open zip file.

    Args:
        place: the file; it must lie in the folder that is imported.

    Attributes:
        left_aside: entries that are not read, with the reason, one line each.

    Raises `BadData` where it can't be opened or has too many entries.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.left_aside: list[str] = []
        self._unpacked = 0
        if not place.confined:
            raise BadData(f"{place} does not lie in {place.root}", "links out of the folder are not followed")
        try:
            self._file = place.path.open("rb")
        except OSError as error:
            raise BadData(f"{place} can't be read: {error.strerror or error}") from error
        try:
            self._zip = zipfile.ZipFile(cast("BinaryIO", _Bounded(self._file)))
        except _TROUBLE as error:
            self._file.close()
            raise BadData(f"{place} is no zip file that can be read: {error}") from error
        entries = self._zip.infolist()
        if len(entries) > MOST_ENTRIES:
            self.close()
            raise BadData(f"{place} has {len(entries):,} entries; at most {MOST_ENTRIES:,} are read")
        self._entries = {entry.filename: entry for entry in entries if self._usable(entry)}

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the files that can be read, in the order of the archive."""
        return tuple(self._entries)

    def _usable(self, entry: zipfile.ZipInfo) -> bool:
        if entry.is_dir():
            return False
        reason = _unsafe(entry)
        if reason:
            self.left_aside.append(f"{self.place}: {entry.filename[:80]!r} {reason}")
        return not reason

    def read(self, name: str, largest: int = LARGEST_FILE) -> bytes:
        """A whole entry. Raises `BadData`."""
        pieces, size = [], 0
        for piece in self._pieces(name):
            size += len(piece)
            if size > largest:
                raise BadData(f"{self.place}: {name} is larger than {largest // 1024**2} MiB")
            pieces.append(piece)
        return b"".join(pieces)

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Numbered lines of an entry, as `Place.lines` gives them. Raises `BadData`."""
        tell = self.place.tell
        return lines_in(
            self._pieces(name), lambda number: tell(f"{self.place}: line {number} of {name} {TOO_LONG}")
        )

    def _pieces(self, name: str) -> Iterator[bytes]:
        entry = self._entries.get(name)
        if entry is None:
            raise BadData(f"{self.place} holds no {name}")
        allowed = max(FREE, entry.compress_size * HIGHEST_RATIO)
        size = 0
        try:
            with self._opened(entry) as file:
                while piece := file.read(_CHUNK):
                    size += len(piece)
                    self._unpacked += len(piece)
                    self._check(name, size, allowed)
                    yield piece
        except _TROUBLE as error:
            raise BadData(f"{self.place}: {name} can't be read: {error}") from error

    def _opened(self, entry: zipfile.ZipInfo) -> IO[bytes]:
        """What an entry holds, unpacked; of Zstandard the library knows nothing before Python 3.14."""
        if entry.compress_type != _ZSTANDARD:
            return self._zip.open(entry)
        from zstandard import ZstdDecompressor

        self._file.seek(entry.header_offset)
        signature, name, extra = _LOCAL_HEADER.unpack(self._file.read(_LOCAL_HEADER.size))
        if signature != SIGNATURE:
            raise zipfile.BadZipFile("an entry does not begin where the list says")
        self._file.seek(name + extra, os.SEEK_CUR)
        packed = self._file.read(min(entry.compress_size, LARGEST_FILE))
        return cast(
            "IO[bytes]", _Unpacked(ZstdDecompressor(max_window_size=LARGEST_WINDOW).stream_reader(packed))
        )

    def _check(self, name: str, size: int, allowed: int) -> None:
        if size > allowed:
            raise BadData(f"{self.place}: {name} unpacks to more than {HIGHEST_RATIO} times its size", BOMB)
        if self._unpacked > LARGEST_TOTAL:
            raise BadData(f"{self.place} unpacks to more than {LARGEST_TOTAL // 1024**3} GiB")


def is_zip(place: Place) -> bool:
    """By its first bytes."""
    return place.head.startswith(SIGNATURE)


def _unsafe(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not read, "" where nothing is wrong with it."""
    name = entry.filename.replace("\\", "/")
    if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/"):
        return "leads out of the archive"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if entry.compress_type not in _METHODS:
        return "is packed in a way that is not read here"
    return ""


class _Unpacked:
    """A Zstandard stream whose trouble is a ValueError, as the library's own is."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __enter__(self) -> _Unpacked:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stream.close()

    def read(self, size: int) -> bytes:
        from zstandard import ZstdError

        try:
            return self._stream.read(size)
        except ZstdError as error:
            raise ValueError(str(error)) from error


class _Bounded:
    """A file that gives no more at once than a list of entries may have.

    `zipfile` reads that list as one piece, of the length that the file itself states.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable
        self.close = file.close

    def read(self, size: int = -1) -> bytes:
        if size > LARGEST_DIRECTORY:
            raise ValueError(f"its list of entries is larger than {LARGEST_DIRECTORY // 1024**2} MiB")
        found = self._file.read(LARGEST_DIRECTORY + 1 if size < 0 else size)
        if len(found) > LARGEST_DIRECTORY:
            raise ValueError("it does not end as a zip file")
        return found
