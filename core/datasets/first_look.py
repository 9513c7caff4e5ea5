"""A first look at a file or folder: enough to recognise it by what it holds, read once for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.scoring.offline.reading import read_tasks

RECORDS = 50
"""Records that are looked at: the first may be broken."""

FIRST = 4096
"""Bytes of a file's beginning."""

ENDINGS = (".json", ".jsonl")
LARGEST = 256 * 1024 * 1024


class Look:
    """One path, and what its beginning holds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def beginning(self) -> str:
        """The first characters of a file: all that is there to go by where it can't be decoded."""
        try:
            with self.path.open("rb") as file:
                return file.read(FIRST).decode("utf-8-sig", "replace")
        except OSError:
            return ""

    @cached_property
    def records(self) -> tuple[JsonObject, ...]:
        """The first objects of a JSON file (a list, one object, or one per line); none of anything else."""
        if self.is_folder or self.path.suffix.lower() not in ENDINGS:
            return ()
        try:
            if self.path.stat().st_size > LARGEST:
                return ()
            return tuple(record.data for record in read_tasks(self.path).records[:RECORDS])
        except (BadData, OSError):
            return ()

    def has(self, names: Iterable[str], least: int) -> bool:
        """Whether some record has at least so many of these keys."""
        wanted = frozenset(names)
        return any(len(wanted & record.keys()) >= least for record in self.records)
