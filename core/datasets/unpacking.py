"""Unpacking archives that strangers made: ordinary files only, and none outside the chosen folder."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from webbench.core.errors import BadData, EnvironmentDown

MOST_MEMBERS = 100_000
LARGEST = 8 * 1024**3
"""Bytes that an archive may unfold to."""


def unpack(
    archive: Path,
    wanted: Mapping[str, str],
    target: Path,
    *,
    largest: int = LARGEST,
    most: int = MOST_MEMBERS,
) -> None:
    """Put folders of a .tar.gz, named below its one top folder, at their places in `target`.

    Links and devices are left out. Raises `BadData` for an archive that is damaged, that is too large when
    unfolded, that names a place outside, or that lacks one of the folders.
    """
    left = largest
    try:
        with tarfile.open(archive, "r|gz") as members:
            for number, member in enumerate(members):
                place = _place(member.name, wanted)
                if number >= most or left < member.size:
                    raise BadData(f"{archive.name} unfolds to more than it may")
                if place is None or not member.isfile():
                    continue
                left -= member.size
                _write(members, member, target / place)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BadData(f"{archive.name} is damaged: {error}") from error
    except OSError as error:
        if error.errno is None or isinstance(error, shutil.Error):
            raise BadData(f"{archive.name} is damaged: {error}") from error
        raise EnvironmentDown(f"{target} can't be written: {error.strerror or error}") from error
    missing = [folder for folder, place in wanted.items() if not (target / place).is_dir()]
    if missing:
        raise BadData(f"{archive.name} has no folder {missing[0]}")


def _place(name: str, wanted: Mapping[str, str]) -> PurePosixPath | None:
    """Where a member belongs, None where nobody wants it. Raises `BadData` for a place outside."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise BadData(f"the archive names a place outside of itself: {name!r}")
    inside = PurePosixPath(*path.parts[1:])
    for folder, place in wanted.items():
        if inside.is_relative_to(folder):
            return PurePosixPath(place) / inside.relative_to(folder)
    return None


def _write(members: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    source = members.extractfile(member)
    if source is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with source, path.open("wb") as file:
        shutil.copyfileobj(source, file)
