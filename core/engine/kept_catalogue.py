"""Lists of tasks as they were last shown, for the moment until the engine has read them again.

Reading a data set takes longer than painting a screen. A list is kept with the key of what it came from: the
installed benchmark, the settings, and every file of its data by name, size and time. It is shown only while
that key is the same, and what the engine then reads takes its place all the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import msgspec

from webbench.core.engine.wire.catalogue_messages import TasksListed
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.settings.load_settings import load_settings

FORMAT = 1
MOST_FILES = 20_000
"""In a data set; the list of a larger one is read each time."""
LARGEST = 64 << 20
"""Bytes of a kept list."""


class _Kept(msgspec.Struct, frozen=True):
    key: str
    listed: TasksListed


class KeptCatalogue:
    """In one folder, a file for each benchmark; a damaged one is as good as none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str, key: str) -> TasksListed | None:
        """The list of a benchmark that was kept with this key."""
        try:
            with self._path(name).open("rb") as file:
                kept = msgspec.msgpack.decode(file.read(LARGEST), type=_Kept)
        except (OSError, msgspec.DecodeError, RecursionError):
            return None
        return kept.listed if key and kept.key == key and kept.listed.benchmark == name else None

    def put(self, key: str, listed: TasksListed) -> None:
        """Keep a list, where the folder can be written."""
        if not key or self.get(listed.benchmark, key) == listed:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(msgspec.msgpack.encode(_Kept(key, listed)))
            Path(file.name).replace(self._path(listed.benchmark))

    def _path(self, name: str) -> Path:
        return self._folder / hashlib.sha256(name.encode()).hexdigest()[:32]


def source_key(name: str, data: str = "") -> str:
    """What a benchmark's list of tasks comes from, as a digest; "" where that can't be told.

    Args:
        data: folder of its data; the configured one if not given.
    """
    point = entry_points.installed(BENCHMARKS).get(name)
    if point is None:
        return ""
    settings = load_settings()
    folder = Path(data) if data else settings.data_folder(name)
    version = point.dist.version if point.dist is not None else ""
    seen = hashlib.sha256(repr((FORMAT, point.value, version, str(folder), settings)).encode())
    count = 0
    for place in (_code(point.module), folder):
        for stamp in _stamps(place) if place is not None else ():
            count += 1
            if count > MOST_FILES:
                return ""
            seen.update(repr(stamp).encode())
    return seen.hexdigest()


def _code(module: str) -> Path | None:
    """The folder of a module, or its one file; found without an import of it."""
    top, *below = module.split(".")
    spec = PathFinder.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return Path(spec.origin) if spec is not None and spec.origin else None
    place = Path(next(iter(spec.submodule_search_locations))).joinpath(*below)
    return place if place.is_dir() else place.parent


def _stamps(place: Path) -> Iterator[tuple[str, int, int]]:
    """Name, size and time of a file, or of every file below a folder, in order."""
    if place.is_file():
        status = place.stat()
        yield place.name, status.st_size, status.st_mtime_ns
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for name in sorted(files):
            with contextlib.suppress(OSError):
                status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118  # of thousands
                yield f"{folder}/{name}", status.st_size, status.st_mtime_ns
