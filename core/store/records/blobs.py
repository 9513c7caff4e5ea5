"""Content-addressed blobs: named by the SHA-256 of what was given, compressed, written once.

A blob is one file under `blobs/<first two digits>/`, its ending tells how it is kept:

- `<name>.zst`: a zstd frame.
- `<name>.delta.zst`: a zstd skippable frame that holds the name of another blob, then a frame
  compressed with that blob's content as dictionary.
- `<name>.png`, `.jpeg`, `.webp`: a picture as it was given.
- `<name>.<own SHA-256>.webp`: a lossless re-encoding of the PNG called `<name>`.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, cast

import msgspec
import zstandard

from webbench.core.errors import BadData
from webbench.core.store.records.bulk_writing import Workbench
from webbench.core.store.records.durable_files import write_file, writing

PictureFormat = Literal["png", "jpeg", "webp"]

LEVEL = 3
LONGEST_CHAIN = 10
"""Deltas that may have to be undone to read one blob; then a full copy (a keyframe) is written."""

LARGEST = 1 << 30
"""Bytes a blob may unpack to; a record that claims more is taken for damaged."""

_NAME = re.compile(r"[0-9a-f]{64}\Z")
_ENDING = re.compile(r"(delta\.)?zst\Z|png\Z|jpeg\Z|([0-9a-f]{64}\.)?webp\Z")
_DELTA_MAGIC = 0x184D2A57
_DELTA_HEAD = struct.Struct("<II64s")
_FORMATS: tuple[PictureFormat, ...] = ("png", "jpeg", "webp")


class Stored(msgspec.Struct, frozen=True):
    """A text blob that is on disk; `depth` deltas lie between it and a full copy."""

    name: str
    data: bytes
    depth: int = 0


class BlobStore:
    """The blobs of one store; safe for several threads and processes at once.

    Args:
        workbench: where blobs are prepared without a sync; None = a blob is on disk when it is named.
    """

    def __init__(self, root: Path, *, workbench: Workbench | None = None) -> None:
        self.root = root
        self.workbench = workbench
        self.folder = root / "blobs"
        self._folder = str(self.folder)

    def put(self, data: bytes, base: Stored | None = None) -> Stored:
        """Keep `data`; `base` is something similar that is likely to make it small.

        Raises `StoreUnwritable`.
        """
        name = hashlib.sha256(data).hexdigest()
        depth = self._depth(name)
        if depth is not None:
            return Stored(name, data, depth)
        full = zstandard.ZstdCompressor(level=LEVEL).compress(data)
        path, packed, depth = self._file(name, "zst"), full, 0
        beneath = self._beneath(base)
        if base is not None and beneath is not None and beneath < LONGEST_CHAIN:
            delta = _pack_delta(data, base)
            if len(delta) * 2 < len(full):
                path, packed, depth = self._file(name, "delta.zst"), delta, beneath + 1
        with writing(self.root, "a page's content"):
            write_file(self.root, path, [packed], workbench=self.workbench)
        return Stored(name, data, depth)

    def get(self, name: str) -> bytes:
        """The content. Raises `BadData` where it is missing or is not what its name says."""
        chain: list[bytes] = []
        wanted = name
        while True:
            packed = _read(self._path(wanted, "zst"))
            if packed is not None:
                break
            delta = _read(self._path(wanted, "delta.zst"))
            if delta is None:
                raise _missing(name, wanted, self.folder)
            if len(chain) > LONGEST_CHAIN:
                raise BadData(f"blob {name[:12]} in {self.folder} rests on an endless chain of others")
            chain.append(delta)
            wanted = _base_name(delta, wanted, self.folder)
        data = _unpack(packed, None, wanted, self.folder)
        for delta in reversed(chain):
            data = _unpack(delta[_DELTA_HEAD.size :], data, name, self.folder)
        return _verified(data, name, self.folder)

    def put_picture(self, data: bytes, format: PictureFormat) -> str:
        """Keep an encoded picture as it is; its name. Raises `StoreUnwritable`."""
        name = hashlib.sha256(data).hexdigest()
        if self.picture_path(name) is None:
            with writing(self.root, "a screenshot"):
                write_file(self.root, self._path(name, format), [data], workbench=self.workbench)
        return name

    def replace_picture(self, name: str, webp: bytes) -> None:
        """Put a lossless re-encoding in the place of the PNG called `name`."""
        archived = self._path(name, f"{hashlib.sha256(webp).hexdigest()}.webp")
        with writing(self.root, "a screenshot"):
            write_file(self.root, archived, [webp])
            self._path(name, "png").unlink(missing_ok=True)

    def get_picture(self, name: str) -> tuple[bytes, PictureFormat]:
        """The picture's bytes and format. Raises `BadData` where it is missing or damaged."""
        for _ in range(2):  # a PNG may just be giving way to its WebP
            path = self.picture_path(name)
            data = None if path is None else _read(path)
            if path is not None and data is not None:
                *_, own_hash, ending = path.name.split(".")
                return _verified(data, own_hash, self.folder), cast("PictureFormat", ending)
        raise _missing(name, name, self.folder)

    def picture_path(self, name: str) -> Path | None:
        """Where the picture called `name` is kept, None where it isn't."""
        for ending in _FORMATS:
            path = self._path(name, ending)
            if path.exists():
                return path
        return next(self._path(name, "").parent.glob(f"{name}.*.webp"), None)

    def has(self, name: str) -> bool:
        """Whether the blob is here, with what it rests on."""
        return self.picture_path(name) is not None or self._depth(name) is not None

    def files_of(self, name: str) -> list[Path]:
        """The files that are needed to read a blob. Raises `BadData` where one is missing."""
        picture = self.picture_path(name)
        if picture is not None:
            return [picture]
        found, wanted = list[Path](), name
        for _ in range(LONGEST_CHAIN + 1):
            full, delta = self._path(wanted, "zst"), self._path(wanted, "delta.zst")
            if full.exists():
                return [full, *reversed(found)]
            head = _read(delta, _DELTA_HEAD.size)
            if head is None:
                break
            found.append(delta)
            wanted = _base_name(head, wanted, self.folder)
        raise _missing(name, wanted, self.folder)

    def files(self) -> Iterator[Path]:
        """Every file of a blob; anything else in the folder is left out."""
        for path in self.folder.glob("[0-9a-f][0-9a-f]/*"):
            name, _, ending = path.name.partition(".")
            if _NAME.match(name) and _ENDING.match(ending):
                yield path

    def beneath(self, name: str) -> str:
        """The blob that this one rests on, "" for none. Raises `BadData` where it is damaged."""
        head = _read(self._path(name, "delta.zst"), _DELTA_HEAD.size)
        return "" if head is None else _base_name(head, name, self.folder)

    def adopt(self, file_name: str, data: bytes) -> str:
        """Keep a file of another store's blobs under its name; the blob that it rests on, "" for none.

        What it holds is checked when it is read. Raises `BadData` for a name that no blob's file has,
        `StoreUnwritable`.
        """
        name, _, ending = file_name.partition(".")
        if not _ENDING.match(ending):
            raise BadData(f"{file_name[:120]!r} is no file of a blob")
        with writing(self.root, "a blob"):
            write_file(self.root, self._path(name, ending), [data], workbench=self.workbench)
        return _base_name(data, name, self.folder) if ending == "delta.zst" else ""

    def check(self, name: str) -> str:
        """Why the blob can't be read, "" where it can."""
        try:
            if self.picture_path(name) is not None:
                self.get_picture(name)
            else:
                self.get(name)
        except BadData as error:
            return error.message
        return ""

    def _path(self, name: str, ending: str) -> Path:
        return Path(self._file(name, ending))

    def _file(self, name: str, ending: str) -> str:
        """As a text: paths are looked for more often than they are used."""
        if not _NAME.match(name):
            raise BadData(f"{name[:80]!r} is no name of a blob", "names are 64 hexadecimal digits")
        return f"{self._folder}/{name[:2]}/{name}.{ending}"

    def _beneath(self, base: Stored | None) -> int | None:
        """How many deltas the base rests on; None where nothing can rest on it."""
        if base is None or not base.data:
            return None
        return self._depth(base.name) if self.workbench is None else base.depth

    def _depth(self, name: str) -> int | None:
        """How many deltas the stored blob rests on; None where it can't be read back."""
        wanted = name
        for depth in range(LONGEST_CHAIN + 1):
            if os.access(self._file(wanted, "zst"), os.F_OK):
                return depth
            delta = self._file(wanted, "delta.zst")
            head = _read(Path(delta), _DELTA_HEAD.size) if os.access(delta, os.F_OK) else None
            if head is None:
                return None
            try:
                wanted = _base_name(head, wanted, self.folder)
            except BadData:
                return None
        return None


def _pack_delta(data: bytes, base: Stored) -> bytes:
    """zstd with the base's content as dictionary; tables wide enough to see all of it."""
    bits = max(17, (len(data) + len(base.data)).bit_length())
    tables = min(bits, 22)
    parameters = zstandard.ZstdCompressionParameters.from_level(
        LEVEL,
        window_log=min(bits, 27),
        hash_log=tables,
        chain_log=tables,
        strategy=zstandard.STRATEGY_FAST if bits > 20 else zstandard.STRATEGY_DFAST,
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters, dict_data=_dictionary(base.data))
    head = _DELTA_HEAD.pack(_DELTA_MAGIC, 64, base.name.encode())
    return head + compressor.compress(data)


def _dictionary(data: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _base_name(delta: bytes, name: str, folder: Path) -> str:
    if len(delta) < _DELTA_HEAD.size:
        raise _damaged(name, folder)
    magic, length, base = _DELTA_HEAD.unpack_from(delta)
    if magic != _DELTA_MAGIC or length != 64 or not base.isalnum():
        raise _damaged(name, folder)
    return str(base.decode())


def _unpack(packed: bytes, base: bytes | None, name: str, folder: Path) -> bytes:
    try:
        if zstandard.frame_content_size(packed) > LARGEST:
            raise _damaged(name, folder)
        dictionary = None if not base else _dictionary(base)
        return bytes(zstandard.ZstdDecompressor(dict_data=dictionary).decompress(packed))
    except (zstandard.ZstdError, MemoryError) as error:
        raise _damaged(name, folder) from error


def _verified(data: bytes, name: str, folder: Path) -> bytes:
    if hashlib.sha256(data).hexdigest() != name:
        raise _damaged(name, folder)
    return data


def _read(path: Path, size: int = -1) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


def _damaged(name: str, folder: Path) -> BadData:
    return BadData(
        f"blob {name[:12]}… in {folder} is damaged: its content does not match its name",
        "restore it from a copy of the store; the step's other data is unharmed",
    )


def _missing(name: str, wanted: str, folder: Path) -> BadData:
    needed = "" if wanted == name else f", which {name[:12]}… rests on"
    return BadData(
        f"blob {wanted[:12]}… is missing from {folder}{needed}",
        "restore it from a copy of the store; the step's other data is unharmed",
    )
