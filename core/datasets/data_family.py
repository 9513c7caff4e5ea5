"""A data family: what a benchmark tells about its data sets.

The entry point group `webbench.data` names one `DataFamily` per benchmark. It imports nothing slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.datasets.first_look import Look
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import DATA

MIB = 1024 * 1024


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to download.

    Attributes:
        url: a file, an archive where `unpack` says so, or where `tree` is set, what the paths of the
            tree's files are added to.
        path: where it belongs within the benchmark's data folder.
        also: other places where people have it, for instance in a clone of the repository.
        size: bytes; 0 = not known.
        sha256: of the file; "" where the source gives no stable bytes.
        largest: bytes that a download may have where `size` is not known.
        unpack: folders of a .tar.gz (below its one top folder) by the place they are put at.
        tree: address that lists the files of a folder, as the Hugging Face Hub does.
        leave_out: names of files in the tree that nobody needs here.
    """

    url: str
    path: str = ""
    also: tuple[str, ...] = ()
    size: int = 0
    sha256: str = ""
    largest: int = 64 * MIB
    unpack: dict[str, str] = {}
    tree: str = ""
    leave_out: tuple[str, ...] = ()

    @property
    def limit(self) -> int:
        """Bytes after which a download is given up."""
        return self.size or self.largest

    @property
    def places(self) -> tuple[str, ...]:
        """What has to be there for the part to be: all of these."""
        return tuple(self.unpack.values()) or (self.path,)


class DataSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published data set.

    Attributes:
        name: what `data get` calls it; unique over all benchmarks.
        source: the official page.
        revision: the commit or revision that `parts` are taken from.
        licence: as its source states it.
        size: bytes to download, roughly where a part's size is not known; 0 = not known.
        note: what else one has to know before using it.
    """

    name: str
    title: str
    source: str
    licence: str
    parts: tuple[Part, ...]
    revision: str = ""
    size: int = 0
    note: str = ""

    @property
    def download(self) -> int:
        """Bytes to download; 0 = not known."""
        return self.size or sum(part.size for part in self.parts)


class Checked(msgspec.Struct, frozen=True):
    """What was found in files of one form: how many tasks can be used, and what is wrong."""

    tasks: int
    problems: tuple[Problem, ...]


class DataFamily(Protocol):
    """The data sets of one benchmark.

    Attributes:
        benchmark: its name.
    """

    benchmark: str

    def known(self) -> Sequence[DataSet]:
        """The published data sets, the usual one first."""
        ...

    def recognise(self, look: Look) -> str:
        """What a file or folder is in this benchmark's terms ("task file"), "" where it isn't its own."""
        ...

    def check(self, form: str, paths: Sequence[Path]) -> Checked:
        """Read everything in files (or folders) of the form that `recognise` gave; they lie side by side.

        Problems name file and line. Raises `BadData` where a file can't be read at all.
        """
        ...


def read_known(file: Path) -> tuple[DataSet, ...]:
    """The data sets of a `data_sets.json` that ships with a benchmark."""
    return msgspec.json.decode(file.read_bytes(), type=tuple[DataSet, ...])


def data_families() -> list[DataFamily]:
    """What knows the data sets of each benchmark, in alphabetical order. Raises `PluginBroken`."""
    return [cast("DataFamily", loader()) for loader in entry_points.load(DATA).values()]
