"""Recorded episodes into a file or folder of some format, whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import Path

from webbench.core.errors import BadData
from webbench.core.exchange.account.balance import unexplained
from webbench.core.exchange.account.episode_parts import kind_of
from webbench.core.exchange.account.given import UNCOUNTED, Given, balance_of_export
from webbench.core.exchange.account.read_back import read_back
from webbench.core.exchange.atomic_output import appearing
from webbench.core.exchange.export_format import Exported, Exporter, Source, format_read_by, places_of
from webbench.core.exchange.own.carried_fields import OWN
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip

MOST_NAMES, LONGEST = 8, 80
"""Names that are told of what was left out, and characters of each."""


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
            source = Source(store, folders, told, pictures=pictures)
            exporter.write(source, made)
            given = source.given
        else:
            made.mkdir()
            given = _write_each(store, folders, exporter, made, told, pictures=pictures)
        if not told.episodes:
            raise BadData(_nothing(told, len(folders)))
        _measure(made, told)
        _account(exporter, made, given, told)
    return told


def _write_each(
    store: Store, folders: Sequence[Path], exporter: Exporter, made: Path, told: Exported, *, pictures: bool
) -> Given:
    """One file or folder for each episode; one that the format can't hold is told as lost."""
    given = Given()
    for folder in folders:
        counts = told.episodes, told.steps, told.pictures
        name = folder.name
        while (made / f"{name}{exporter.ending}").exists():
            name = f"{folder.parent.name}_{name}"
        source = Source(store, [folder], told, pictures=pictures)
        try:
            exporter.write(source, made / f"{name}{exporter.ending}")
        except BadData as error:
            told.episodes, told.steps, told.pictures = counts
            told.lose(str(error))
            for part, count in source.given.parts.items():
                given.left(kind_of(part), "of episodes that the format can't hold", count)
        given.add(source.given)
    return given


def _account(exporter: Exporter, made: Path, given: Given, told: Exported) -> None:
    """Hold what the written file gives back against the records; what has no reason is told as lost."""
    found = read_back(exporter, made)
    if not found.counted:
        told.uncounted = True
        told.lose(UNCOUNTED)
        return
    for line in found.lines:
        told.lose(line)
    if found.names is not None and (added := _outermost(given.names - found.names, format_read_by(exporter))):
        told.lose(f"what others added to the file that it came back in: {', '.join(added)}")
    told.account = balance_of_export(given, found.parts, places_of(exporter), found.unread)
    for line in unexplained(told.account):
        told.lose(line)


def _outermost(names: Set[str], format: str) -> list[str]:
    """Those of a format that are not in our own part of it and stand in none of the others, some of them."""
    theirs = [name for name in names if name.startswith(f"{format}.") and OWN not in name.split(".")]
    of_format = [name.removeprefix(f"{format}.") for name in theirs]
    found = sorted(name for name in of_format if f"{format}.{name}".rpartition(".")[0] not in names)
    shown = [plain_clip(name, LONGEST) for name in found[:MOST_NAMES]]
    return [*shown, f"{len(found) - MOST_NAMES} more"] if len(found) > MOST_NAMES else shown


def _nothing(told: Exported, asked: int) -> str:
    first = told.lost[0] if told.lost else "there is none"
    return first if asked == 1 else f"none of the {asked} episodes can be written as {told.format}: {first}"


def _measure(made: Path, told: Exported) -> None:
    files = [made] if made.is_file() else [one for one in made.rglob("*") if one.is_file()]
    told.files, told.bytes = len(files), sum(one.stat().st_size for one in files)


def counted_losses(told: Exported) -> list[str]:
    """The losses, each with how often it came."""
    return [f"{what} ({told.again[what] + 1} times)" if what in told.again else what for what in told.lost]
