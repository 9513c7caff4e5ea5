"""Getting a data set: everything is downloaded and verified aside, then put into its place at once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from webbench.core.datasets.data_family import DataSet, Part
from webbench.core.datasets.downloading import STALLED, Progress, Wanted, download, open_client
from webbench.core.datasets.hugging_face import files_of
from webbench.core.datasets.unpacking import unpack
from webbench.core.errors import BadData, EnvironmentDown, WebbenchError

if TYPE_CHECKING:
    import httpx


def get_data(data_set: DataSet, folder: Path, progress: Progress, *, stalled: float = STALLED) -> list[Path]:
    """Download a data set into a benchmark's data folder; gives what was put there.

    What lies in the same places is replaced, and only when all parts are there and as published; after a
    failure the folder is as it was.

    Raises `EnvironmentDown` or `BadData` with what to do instead.
    """
    try:
        with _aside(folder) as place, open_client(stalled) as client:
            for part in data_set.parts:
                _fetch(client, part, place, progress)
            return _put(data_set, place, folder)
    except WebbenchError as error:
        if not error.hint:
            error.hint = by_hand(data_set, folder)
        raise


def by_hand(data_set: DataSet, folder: Path) -> str:
    """How to get a data set where this machine can't."""
    places: list[str] = []
    for part in data_set.parts:
        if part.unpack:
            inside = " and ".join(
                f"its {source}/ to {folder / place}" for source, place in part.unpack.items()
            )
            places.append(f"{part.url}: unpack {inside}")
        elif part.tree:
            places.append(f"{data_set.source}: copy its {part.path}/ to {folder / part.path}")
        else:
            places.append(f"{part.url} to {folder / part.path}")
    return f"with a browser or on another machine get {'; '.join(places)}"


@contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """A folder of its own on the same disk, gone afterwards, as is the data folder where it is empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".getting-", dir=folder))
    except OSError as error:
        raise EnvironmentDown(f"{folder} can't be written: {error.strerror or error}") from error
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):
            folder.rmdir()


def _fetch(client: httpx.Client, part: Part, place: Path, progress: Progress) -> None:
    if part.tree:
        for one in files_of(client, part):
            _fetch(client, one, place, progress)
        return
    target = place / part.path
    target.parent.mkdir(parents=True, exist_ok=True)
    wanted = Wanted(url=part.url, size=part.size, sha256=part.sha256, limit=part.limit)
    download(client, wanted, target, progress)
    if part.unpack:
        unpack(target, part.unpack, place)
        target.unlink()


def _put(data_set: DataSet, place: Path, folder: Path) -> list[Path]:
    """Move what was downloaded into the data folder; all of it, or nothing."""
    names = list(dict.fromkeys(name for part in data_set.parts for name in part.places))
    for name in names:
        if not (place / name).exists():
            raise BadData(f"{data_set.name} came without its {name}")
    moved: list[_Move] = []
    try:
        for name in names:
            moved.append(_make_room(place / name, folder / name))
            (place / name).replace(folder / name)
    except OSError as error:
        _put_back(moved)
        raise EnvironmentDown(f"{folder} can't be written: {error.strerror or error}") from error
    return [move.target for move in moved]


class _Move(NamedTuple):
    """Where something came from, where it goes to, and where the old content of that place is kept."""

    source: Path
    target: Path
    kept: Path | None


def _make_room(source: Path, target: Path) -> _Move:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not (target.exists() or target.is_symlink()):
        return _Move(source, target, None)
    kept = Path(tempfile.mkdtemp(prefix=".kept-", dir=source.parent)) / target.name
    target.replace(kept)
    return _Move(source, target, kept)


def _put_back(moved: Sequence[_Move]) -> None:
    """Undo the moves, the latest first; what can't be undone doesn't keep the others from it."""
    for move in reversed(moved):
        with suppress(OSError):
            if not move.source.exists():
                move.target.replace(move.source)
            if move.kept:
                move.kept.replace(move.target)
