"""Recorded episodes into a file or folder of some format, whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.errors import BadData
from webbench.core.exchange.atomic_output import appearing
from webbench.core.exchange.export_format import Exported, Exporter, Source
from webbench.core.store.store import Store


def export(
    store: Store,
    folders: Sequence[Path],
    exporter: Exporter,
    path: Path,
    *,
    pictures: bool = True,
    force: bool = False,
) -> Exported:
    """Write episodes to `path`; of a format that holds one episode, several go into a folder of that name.

    Args:
        force: what is at `path` is replaced.

    Raises:
        UsageError: there is something at `path`.
        BadData: none of the episodes can be exported.
        EnvironmentDown: it can't be written.
    """
    path = path.expanduser().absolute()
    told = Exported(path=str(path), format=exporter.name, lacks=exporter.lacks)
    with appearing(path, force=force) as made:
        if exporter.several or len(folders) == 1:
            exporter.write(Source(store, folders, told, pictures=pictures), made)
        else:
            made.mkdir()
            _write_each(store, folders, exporter, made, told, pictures=pictures)
        if not told.episodes:
            raise BadData(_nothing(told, len(folders)))
        _measure(made, told)
    return told


def _write_each(
    store: Store, folders: Sequence[Path], exporter: Exporter, made: Path, told: Exported, *, pictures: bool
) -> None:
    """One file or folder for each episode; one that the format can't hold is told as lost."""
    for folder in folders:
        counts = told.episodes, told.steps, told.pictures
        name = folder.name
        while (made / f"{name}{exporter.ending}").exists():
            name = f"{folder.parent.name}_{name}"
        try:
            exporter.write(
                Source(store, [folder], told, pictures=pictures), made / f"{name}{exporter.ending}"
            )
        except BadData as error:
            told.episodes, told.steps, told.pictures = counts
            told.lose(str(error))


def _nothing(told: Exported, asked: int) -> str:
    first = told.lost[0] if told.lost else "there is none"
    return first if asked == 1 else f"none of the {asked} episodes can be written as {told.format}: {first}"


def _measure(made: Path, told: Exported) -> None:
    files = [made] if made.is_file() else [one for one in made.rglob("*") if one.is_file()]
    told.files, told.bytes = len(files), sum(one.stat().st_size for one in files)


def counted_losses(told: Exported) -> list[str]:
    """The losses, each with how often it came."""
    return [f"{what} ({told.again[what] + 1} times)" if what in told.again else what for what in told.lost]
