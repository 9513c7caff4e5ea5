"""Conversion: episodes of other tools into a store, and recorded ones into files of other formats."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from webbench.core.api.defaults import open_concealing
from webbench.core.api.store_tables import Store, core_store, episode_folder
from webbench.core.errors import UsageError
from webbench.core.exchange import exporting
from webbench.core.exchange.export_format import Exported, find_exporter
from webbench.core.exchange.fetched_source import source_of
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.text.nearest import suggestion
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Trajectory


def import_(
    path: Path | str,
    store: Store | Path | str | None = None,
    *,
    format: str = "",
    again: bool = False,
    dry_run: bool = False,
) -> list[Imported]:
    """Bring episodes of other tools into a store; nothing is executed, nothing but the store is written.

    Args:
        path: a file, or a folder that is looked through, or an address that fsspec knows, such as
            "hf://datasets/OWNER/NAME": its files are copied into the cache.
        store: None: the configured one.
        format: name of the one format to be tried; "": each place is read by the format that knows it.
        again: keep also what an earlier import has kept.
        dry_run: read everything, keep nothing.

    Returns what became of each place: episodes, steps, and one line for whatever the records lack (`lost`).

    Raises:
        UsageError: nothing is there, or no format of this name.
        EnvironmentDown: the store can't be written, or the address not read; a repeated import goes on.

    Example:
        >>> import webbench as wb
        >>> for place in wb.import_("downloaded/agentlab-run"):
        ...     print(place.path, place.format, place.episodes, place.lost)
    """
    formats = known_formats()
    require_format(format, [one.name for one in formats])
    records = None if dry_run else core_store(store)
    try:
        source = source_of(path)
        return list(bring_in(source.root, formats, records, only=format, again=again, called=source.called))
    finally:
        if records is not None:
            records.close()


def export(
    episodes: Trajectory | EpisodeSummary | Path | str | Iterable[Trajectory | EpisodeSummary | Path | str],
    format: str,
    path: Path | str,
    *,
    pictures: bool = True,
    force: bool = False,
    store: Store | Path | str | None = None,
) -> Exported:
    """Write recorded episodes in a format that others read, whole or not at all; secrets are left out.

    Args:
        episodes: what `Store.episodes` gives, or trajectories, summaries or names, or a single one.
        format: "jsonl", "parquet", "csv", "har", "html", "adp" or a plug-in's.
        path: the file or folder to be made.
        pictures: screenshots too.
        force: write over what is there.
        store: where they are recorded; None: the configured one.

    Returns what was written, what the format has no place for (`lacks`), and what of these records is not in
    it (`lost`).

    Raises:
        UsageError: no such format or episode, no episode at all, or something at the place.
        BadData: none of the episodes could be written.
        EnvironmentDown: the place can't be written.

    Example:
        >>> import webbench as wb
        >>> human = wb.Store().episodes("actor:human status:scored")
        >>> wb.export(human, "parquet", "human-baseline")
    """
    exporter = find_exporter(format)
    records = open_concealing(core_store(store).root)
    chosen = [episodes] if isinstance(episodes, Trajectory | EpisodeSummary | Path | str) else episodes
    folders = [
        records.root / one.header.run / one.header.episode
        if isinstance(one, Trajectory)
        else episode_folder(records, one)
        for one in chosen
    ]
    if not folders:
        raise UsageError("There is no episode to export", "the filter may let none through")
    return exporting.export(records, folders, exporter, Path(path), pictures=pictures, force=force)


def require_format(name: str, known: list[str]) -> None:
    """Raises `UsageError` for a format that isn't known, naming the nearest; "" stands for all."""
    if name and name not in known:
        raise UsageError(f'There is no format "{plain_clip(name, 60)}"', suggestion(name, known))
