"""`import`: foreign episodes into the store, with a table of what came and what was lost."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.api.conversion import require_format
from webbench.core.errors import UsageError
from webbench.core.exchange.account.balance import Row, added_up, reasons_in_words
from webbench.core.exchange.account.losses_by_reason import Loss, by_reason
from webbench.core.exchange.atomic_output import write_text
from webbench.core.exchange.fetched_source import source_of
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say, write_over
from webbench.tui.cli.place import open_store

SCHEMA_VERSION = 1
NOTHING_USABLE = 4
HEADERS = ("folder", "formats", "episodes", "steps", "screenshots", "scores", "lost", "refused")
ACCOUNT = ("format", "kind", "source", "recorded", "reasons")
TOLD = 20
"""Reasons that are printed for people; --json has all."""


def import_command(
    path: Annotated[
        Path,
        typer.Argument(
            help="File or folder with episodes that other tools recorded, or hf://datasets/OWNER/NAME[@REVISION]."
        ),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything, keep nothing.")] = False,
    only: Annotated[str, typer.Option("--format", help="Try this format alone.")] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Keep once more what was imported from these files before.")
    ] = False,
    account: Annotated[
        Path | None,
        typer.Option("--account", help="Write what came and what was lost to this file: as --json."),
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Import recorded episodes of other tools; their format is detected from the files.

    What an earlier import kept of the same files is known and stays as it is, so an import that was
    interrupted may simply be repeated.

    The account is a table by format and kind: what the source has, counted from the source, what the records
    have, and why the two differ.

    Exit 0 when all was imported, 1 when something was refused, lost or left without an explanation (the
    tables say what), 4 when there was nothing usable.
    """
    if account is not None and os.path.lexists(account.expanduser()):
        raise UsageError(f"{account} exists", "choose another place for --account")
    told = partial(_tell, account=account, as_json=as_json)
    raise typer.Exit(import_trajectories(path, told, only=only, store=store, dry_run=dry_run, again=again))


class Account(msgspec.Struct, kw_only=True):
    """What one format had in one folder, and what the records have of it, a row a kind."""

    folder: str
    format: str
    rows: list[Row]


class FolderTold(msgspec.Struct, kw_only=True):
    """What became of one folder right below what was imported."""

    folder: str
    formats: list[str] = []
    episodes: int = 0
    steps: int = 0
    screenshots: int = 0
    scores: int = 0
    lost: list[str] = []
    companions: int = 0
    refused: list[str] = []


def import_trajectories(
    path: Path,
    tell: Callable[[Path, Sequence[Imported], Path | None, str], None],
    *,
    only: str,
    store: Path | None,
    dry_run: bool,
    again: bool,
) -> int:
    """Import what lies at `path`: 0 all of it, 1 something was refused or lost, 4 nothing usable.

    Args:
        tell: is called with the folder that was read, what became of each place, the store, and why it
            stopped early, "" for not.

    Raises `StoreUnwritable` after it told what had come until then.
    """
    formats = known_formats()
    require_format(only, [one.name for one in formats])
    source = source_of(path)
    root = source.root
    if source.files:
        say(f"{counted(source.files, 'file')}, {source.size:,} bytes, copied from {source.called} to {root}")
    if source.removed:
        say(f"older copies that left the cache: {source.removed:,}")
    kept = None if dry_run else open_store(store)
    kept_in = kept.root if kept is not None else None
    watch = ImportWatch()
    try:
        for _ in bring_in(root, formats, kept, only=only, again=again, called=source.called, progress=watch):
            pass
    except (StoreUnwritable, KeyboardInterrupt) as error:
        watch.clear()
        tell(root, watch.told, kept_in, str(error) or "interrupted")
        raise
    finally:
        if kept is not None:
            kept.close()
    watch.clear()
    tell(root, watch.told, kept_in, "")
    if not any(one.episodes for one in watch.told):
        return NOTHING_USABLE
    return int(any(one.state in ("partial", "refused") or one.uncounted for one in watch.told))


def _tell(
    root: Path,
    told: Sequence[Imported],
    store: Path | None,
    stopped: str,
    *,
    account: Path | None,
    as_json: bool,
) -> None:
    folders, losses, accounts = by_folder(root, told), by_reason(told, root), by_format(root, told)
    whole = {
        "schema_version": SCHEMA_VERSION,
        "episodes": sum(one.episodes for one in told),
        "known": sum(one.known for one in told),
        "changed": sum(one.changed for one in told),
        "dry_run": store is None,
        "stopped": stopped,
        "folders": folders,
        "losses": losses,
        "account": accounts,
        "places": told,
    }
    if as_json:
        print_json(whole)
    else:
        _print_table(folders)
        _print_account(accounts)
        _print_noticed(told)
        for kind in ("lost", "refused"):
            _print_reasons(kind, [one for one in losses if one.kind == kind])
        _print_sums(told, store)
        if stopped:
            say("It did not come to its end; the same command goes on from here")
    if account is not None:  # behind what is printed, which has to be seen all the same
        write_text(account, msgspec.json.encode(whole).decode())


def by_format(root: Path, told: Sequence[Imported]) -> list[Account]:
    """The accounts added up, by the folder right below `root` and by format."""
    found: dict[tuple[str, str], list[list[Row]]] = {}
    for one in told:
        if one.account:
            found.setdefault((_folder_of(root, one.path), one.format), []).append(one.account)
    return [
        Account(folder=folder, format=name, rows=added_up(rows)) for (folder, name), rows in found.items()
    ]


def by_folder(root: Path, told: Sequence[Imported]) -> list[FolderTold]:
    """Sums by the folder right below `root`; "." for files that lie in it."""
    folders: dict[str, FolderTold] = {}
    for one in told:
        name = _folder_of(root, one.path)
        folder = folders.setdefault(name, FolderTold(folder=name, formats=[], lost=[], refused=[]))
        folder.episodes += one.episodes
        folder.steps += one.steps
        folder.screenshots += one.screenshots
        folder.scores += one.scores
        folder.companions += one.state == "companion"
        folder.lost += [f"{one.path}: {_times(one, text)}" for text in one.lost if one.state != "refused"]
        if one.state == "refused":
            folder.refused.append(f"{one.path}: {one.why}")
        if one.format and one.episodes and one.format not in folder.formats:
            folder.formats.append(one.format)
    return list(folders.values())


def _folder_of(root: Path, path: str) -> str:
    parts = Path(path).relative_to(root).parts if path != str(root) else ()
    return parts[0] if len(parts) > 1 or (parts and (root / parts[0]).is_dir()) else "."


def _times(one: Imported, text: str) -> str:
    """A loss, and how often it came."""
    return f"{text} ({one.again[text] + 1} times)" if text in one.again else text


def _print_table(folders: Sequence[FolderTold]) -> None:
    rows = [
        (
            one.folder,
            ", ".join(one.formats) or NO_VALUE,
            one.episodes,
            one.steps,
            one.screenshots,
            one.scores,
            len(one.lost),
            len(one.refused),
        )
        for one in folders
    ]
    print_table(HEADERS, rows, numbers=(2, 3, 4, 5, 6, 7), flexible=(0, 1))


def _print_account(accounts: Sequence[Account]) -> None:
    """A row for each kind of each format: what the source has, what the records have, and why they differ."""
    rows = [
        (one.format, row.kind, row.source, row.recorded, reasons_in_words(row))
        for one in accounts
        for row in one.rows
    ]
    if rows:
        print_line("\naccount:")
        print_table(ACCOUNT, rows, numbers=(2, 3), flexible=(4,))


def _print_noticed(told: Sequence[Imported]) -> None:
    """What is odd about the sources and was taken over as it stands, or how they were read."""
    lines = list(dict.fromkeys(line for one in told for line in one.noticed))
    for line in lines[:TOLD]:
        say(f"noticed: {line}")
    if len(lines) > TOLD:
        say(f"... and {len(lines) - TOLD} more (--json has all)")


def _print_sums(told: Sequence[Imported], store: Path | None) -> None:
    """How many episodes were read, or are new in the store and were there."""
    episodes = sum(one.episodes for one in told)
    known = sum(one.known for one in told)
    changed = sum(one.changed for one in told)
    if store is None:
        print_line(f"\n{counted(episodes, 'episode')} read, nothing kept")
        return
    print_line(f"\n{counted(episodes - known, 'episode')} imported into {store}")
    if known:
        say(f"{counted(known, 'episode')} had been imported before and stayed as they are; see --again")
    if changed:
        say(f"{counted(changed, 'episode')} of files that have changed: in new runs, beside the old ones")


def _print_reasons(kind: str, losses: Sequence[Loss]) -> None:
    """Each reason once, with the first place that it holds for, how many there are, and how often it came."""
    if losses:
        print_line(f"\n{kind}:")
    for one in losses[:TOLD]:
        often = f"{one.times} times" if one.times > 1 else ""
        spread = f"in {len(one.places)} places" if len(one.places) > 1 else ""
        more = ", ".join(filter(None, (often, spread)))
        print_text(f"  {next(iter(one.places), '')}: {one.reason}" + (f" ({more})" if more else ""))
    if len(losses) > TOLD:
        print_line(f"  ... and {len(losses) - TOLD} more (--json has all)")


SECONDS_BETWEEN = 0.1


class ImportWatch:
    """Takes up what becomes of each place.

    Attributes:
        told: the places so far, in order; the last one may still go on.
    """

    def __init__(self) -> None:
        self.told: list[Imported] = []
        self._episodes = 0
        self._drawn = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, told: Imported) -> None:
        """A place, after each of its episodes and at its end."""
        if not self.told or self.told[-1] is not told:
            self._episodes += self.told[-1].episodes if self.told else 0
            self.told.append(told)
        if self._drawn and time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN
            self._draw(told)

    def clear(self) -> None:
        """Leave no trace on the line."""
        if self._drawn:
            write_over("\r\x1b[K")

    def _draw(self, told: Imported) -> None:
        line = f"{counted(self._episodes + told.episodes, 'episode')}  {plain_text(told.path)}"
        columns = shutil.get_terminal_size((80, 24)).columns
        write_over(f"\r{clip(line, columns - 1)}\x1b[K")
