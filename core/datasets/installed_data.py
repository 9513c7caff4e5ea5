"""Installed data sets: which published ones are on the disk, and whether they are as they were published."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.datasets.data_family import DataFamily, DataSet, Part

State = Literal["installed", "changed", "incomplete", "not installed"]
LARGEST_HASHED = 64 * 1024 * 1024


class Installed(msgspec.Struct, frozen=True):
    """A data set's state in a folder; `path` is its first part, None where nothing of it is there."""

    state: State
    path: Path | None = None


def installed(data_set: DataSet, folder: Path | None) -> Installed:
    """How a data set stands in a benchmark's data folder (or task file); never raises."""
    if folder is None:
        return Installed("not installed")
    found = [_find(part, folder) for part in data_set.parts]
    there = [path for path in found if path is not None]
    if not there:
        return Installed("not installed")
    if len(there) < len(found):
        return Installed("incomplete", there[0])
    same = all(
        not part.sha256 or _sha256(path) == part.sha256
        for part, path in zip(data_set.parts, there, strict=True)
    )
    return Installed("installed" if same else "changed", there[0])


def published_as(family: DataFamily, paths: Sequence[Path]) -> str:
    """The data set whose published bytes all these files have; "" where there is none."""
    if any(path.is_dir() for path in paths):
        return ""
    sums = [_sha256(path) for path in paths]
    for data_set in family.known():
        if sums and set(sums) <= {part.sha256 for part in data_set.parts if part.sha256}:
            return data_set.name
    return ""


def _find(part: Part, folder: Path) -> Path | None:
    """Where a part lies: all of its places, or one of those where others keep it."""
    if folder.is_file():
        names = {Path(place).name for place in (part.path, *part.also)}
        return folder if folder.name in names else None
    if all((folder / place).exists() for place in part.places):
        return folder / part.places[0]
    return next((folder / place for place in part.also if (folder / place).exists()), None)


def _sha256(path: Path) -> str:
    """ "" of a folder, and of a file that can't be read or is very large."""
    try:
        if path.is_dir() or path.stat().st_size > LARGEST_HASHED:
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
