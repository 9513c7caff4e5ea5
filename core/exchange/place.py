"""A file or folder to import from: read within bounds, and never outside the folder that was named."""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Tally
from webbench.core.json_types import Json
from webbench.core.text import bounded_json
from webbench.core.text.plural import counted

HEAD = 4096
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes that are read as one piece, unpacked; longer files only line by line."""
LONGEST_LINE = 64 * 1024 * 1024
TOO_LONG = f"is longer than {LONGEST_LINE // 1024**2} MiB and was left out"
MOST_VALUES = 8_000_000
"""Commas and opening brackets of a JSON file that is read as one piece: what its values are at most."""
MOST_NAMES = 200_000
"""Names of a folder that are looked at."""
HIGHEST_RATIO = 250
"""Unpacked by packed bytes; texts of traces come to 20 or 50, deflated zeros to 1,000."""
FREE = 8 * 1024 * 1024
"""Bytes that may be unpacked whatever the ratio is."""
BOMB = "it looks like a bomb of zeros and was given up"
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Place:
    """One path below the folder that is imported.

    Args:
        path: the file or folder; links are followed only to places below `root`.
        root: what the user named.
        within: the place that this one was reached from, whose `told` and `tally` it goes on with.

    Attributes:
        told: what could not be read as it stands, here or in a place reached from here, one line each.
        tally: what is held here, and in places reached from here, by kind.
    """

    def __init__(self, path: Path, root: Path, within: Place | None = None) -> None:
        self.path = path
        self.root = root
        self.told: list[str] = [] if within is None else within.told
        self.tally: Tally = Tally() if within is None else within.tally
        self._within = within

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
        return Place(self.path / name, self.root, self)

    @property
    def parent(self) -> Place:
        """The folder around it; at the top the root itself."""
        return self if self.path == self.root else Place(self.path.parent, self.root, self)

    @property
    def confined(self) -> bool:
        """Whether it is a regular file or folder that really lies below the root."""
        mode = self._mode_without_links
        if mode is not None:
            return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
        try:
            real = self.path.resolve(strict=True)
        except (OSError, RuntimeError):
            return False
        return real.is_relative_to(self._real_root) and (real.is_file() or real.is_dir())

    @property
    def _mode_without_links(self) -> int | None:
        """The mode of what lies here, if the path leads to it from the root without a link.

        None where a link or a step upwards stands on the way, nothing lies here, this is the root itself, or
        the path is written in another way than the root's.
        """
        at, path = str(self.root), str(self.path)
        if not path.startswith(at + os.sep):
            return None
        mode = None
        for name in self.path.parts[len(self.root.parts) :]:
            at = f"{at}{os.sep}{name}"
            try:
                mode = os.lstat(at).st_mode
            except OSError:
                return None
            if name == os.pardir or stat.S_ISLNK(mode):
                return None
        return mode

    @cached_property
    def _real_root(self) -> Path:
        """The root without links; looked up once for all that is reached from a place."""
        return self.root.resolve() if self._within is None else self._within._real_root

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
        if first.startswith(_WIDE):
            return first.decode("utf-16", "ignore").encode("utf-8", "replace")
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
        head = self.head
        return bool(head) and all(text.encode() in head for text in texts)

    def read(self, largest: int = LARGEST_FILE) -> bytes:
        """The whole file, unpacked where it is gzip. Raises `BadData`."""
        pieces, size = [], self.size
        if size <= largest:
            size = 0
            for piece in self.pieces():
                size += len(piece)
                if size > largest:
                    break
                pieces.append(piece)
        if size > largest:
            raise BadData(f"{self} is larger than {largest // 1024**2} MiB", "import its parts alone")
        return b"".join(pieces)

    @property
    def size(self) -> int:
        """Bytes of the file as it lies on the disk; 0 where there is none."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def text(self, largest: int = LARGEST_FILE) -> str:
        """Its text; bytes that are no UTF-8 become U+FFFD, which is told. Raises `BadData`."""
        return self.decoded(self.read(largest))

    def decoded(self, data: bytes) -> str:
        """Bytes of this file as text; what is no UTF-8 becomes U+FFFD, which is told."""
        data = data.removeprefix(b"\xef\xbb\xbf")
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.tell_of_bad_text()
            return data.decode("utf-8", "replace")

    def tell_of_bad_text(self) -> None:
        self.tell(f"{self} is not all UTF-8; what could not be read became U+FFFD")

    def tell(self, what: str) -> None:
        """Note once what could not be read as it stands."""
        if what not in self.told:
            self.told.append(what)

    def json(self, largest: int = LARGEST_FILE) -> Json:
        """Its JSON value, of one that is cut off what stands before that, which is told.

        Raises `BadData` with what is wrong, and where.
        """
        return self._decoded_json(self.text(largest), str(self), cut=True)

    def check_values(self) -> None:
        """Raises `BadData` for a JSON file with more values than fit into memory, before it is decoded."""
        values = 0
        for piece in self.pieces():
            values += sum(map(piece.count, (b",", b"[", b"{")))
            self.require_few(values)

    def require_few(self, values: int) -> None:
        """Raises `BadData` for more values of JSON than are decoded as one piece."""
        if values > MOST_VALUES:
            raise BadData(f"{self} holds more than {MOST_VALUES:,} values", "import its parts alone")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines without their ends; one that is too long is given as b"", which is told.

        Raises `BadData` where the file can't be read (any further); the lines before have been given.
        """
        return lines_in(self.pieces(), lambda number: self.tell(f"{self}: line {number} {TOO_LONG}"))

    def line_json(self, number: int, line: bytes) -> Json:
        """The JSON value of a line of this file. Raises `BadData` that names it."""
        return self._decoded_json(self.decoded(line), f"{self}, line {number},")

    def json_of(self, text: str, *, cut: bool = False) -> Json:
        """The JSON value of a part of this file; of one that is cut off what stands before that.

        Raises `BadData`.
        """
        return self._decoded_json(text, str(self), cut=cut)

    def _decoded_json(self, text: str, where: str, *, cut: bool = False) -> Json:
        self.require_few(values_in(text))
        try:
            return bounded_json.decode(text)
        except (ValueError, RecursionError) as error:
            found = self._as_far_as_it_goes(text, where, cut=cut)
            if found is None:
                raise BadData(f"{where} is no readable JSON: {error}") from error
            return found

    def _as_far_as_it_goes(self, text: str, where: str, *, cut: bool) -> Json:
        """The value with NaN, infinities and too large numbers as texts, or up to where it is cut off.

        Either is told; None where nothing whole stands before the cut.
        """
        odd: list[str] = []
        try:
            found = bounded_json.decode_leniently(text, odd.append)
        except (ValueError, RecursionError):
            odd.clear()
            rest = bounded_json.salvaged(text) if cut else ""
            if not rest:
                return None
            try:
                found = bounded_json.decode_leniently(rest, odd.append)
            except (ValueError, RecursionError):
                return None
            self.tell(f"{where} is cut off or broken; what stands before that was read")
        if odd:
            first = f"{odd[0]} is the first" if len(odd) > 1 else odd[0]
            many = counted(len(odd), "value")
            self.tell(f"{where} has {many} that no record can hold as numbers, kept as text: {first}")
        return found

    def pieces(self) -> Iterator[bytes]:
        """What it holds, unpacked where it is gzip, piece by piece. Raises `BadData`."""
        if not self.confined:
            raise BadData(f"{self} does not lie in {self.root}", "links out of the folder are not followed")
        self.tally.opened.add(self.path)
        try:
            with self.path.open("rb") as plain:
                packed = plain.read(2) == _GZIP
                plain.seek(0)
                source = gzip.open(plain) if packed else plain  # noqa: SIM115 - closed with `plain`
                wide: codecs.IncrementalDecoder | None = None
                first = True
                allowed = max(FREE, self.size * HIGHEST_RATIO) if packed else sys.maxsize
                while piece := source.read(_CHUNK):
                    allowed -= len(piece)
                    if allowed < 0:
                        raise BadData(f"{self} unpacks to more than {HIGHEST_RATIO} times its size", BOMB)
                    if first and piece.startswith(_WIDE):
                        wide = codecs.getincrementaldecoder("utf-16")("replace")
                        self.tell(f"{self} is written in UTF-16; it was read as such")
                    first = False
                    yield piece if wide is None else wide.decode(piece).encode("utf-8", "replace")
        except (OSError, EOFError, zlib.error) as error:
            told = getattr(error, "strerror", None) or error
            raise BadData(f"{self} can't be read: {told}") from error


def lines_in(pieces: Iterable[bytes], too_long: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """Numbered lines without their ends.

    Args:
        too_long: told the number of a line longer than `LONGEST_LINE`, which is given as b"".
    """
    number = 1
    line = _Line()
    for piece in pieces:
        *ends, rest = piece.split(b"\n")
        for end in ends:
            line.add(end)
            if line.length > LONGEST_LINE:
                too_long(number)
            yield number, line.ended()
            number += 1
        line.add(rest)
    if line.length > LONGEST_LINE:
        too_long(number)
    if line.length:
        yield number, line.ended()


def values_in(text: str) -> int:
    """At most so many values a JSON text holds, told without decoding it."""
    return sum(map(text.count, ",[{"))


class _Line:
    """A line as its pieces come in; of one that is too long nothing is kept."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.length > LONGEST_LINE:
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)

    def ended(self) -> bytes:
        """The whole line, without its end; the next one begins."""
        whole = b"".join(self._pieces).removesuffix(b"\r")
        self.length = 0
        self._pieces.clear()
        return whole
