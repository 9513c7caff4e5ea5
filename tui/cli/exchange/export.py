"""`export`: episodes out of the store, in another format, with an account of what they lose."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.browser.starting.folder import private_room
from webbench.core.errors import UsageError
from webbench.core.exchange.account.balance import reasons_in_words
from webbench.core.exchange.export_format import Exported, Exporter, find_exporter
from webbench.core.exchange.exporting import counted_losses, export
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Force, Pictures, StorePath, asking
from webbench.tui.cli.output import print_file, print_json, print_line, print_table, say
from webbench.tui.cli.place import find_episodes, open_concealing

SCHEMA_VERSION = 1
STDOUT = Path("-")
ACCOUNT = ("kind", "records", "file", "reasons")
TOLD = 12
"""Losses that are printed for people; --json has all."""


RunsAndEpisodes = Annotated[
    tuple[str, ...],
    Option(argument=True, help="Runs and episodes, by name or a unique prefix; @NAME: a pool."),
]


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `export` asks for; `out` is a path, or `STDOUT`."""

    names: RunsAndEpisodes
    to: Annotated[
        str,
        Option(help="adp, csv, har, html, jsonl, parquet, sft, weblinx, or another one of the list above."),
    ]
    out: Annotated[Path, Option(help="File or folder to make; - for stdout.")]
    pictures: Pictures = True
    force: Force = False
    store: StorePath = None


@asking(ExportRequest)
def export_command(request: ExportRequest, as_json: AsJson = False) -> None:
    """Write recorded episodes in another format, whole or not at all.

    \b
    jsonl    everything, one step a line; `import` reads it back (.jsonl.gz: packed)
    adp      Agent Data Protocol 1.2: a folder with trajectories.jsonl and images
    weblinx  a demonstration folder for each episode
    har      HAR 1.2 for each episode whose network was recorded
    atif, browser-use, devtools-recorder, inspect, mind2web, opentelemetry, verifiers
             the formats of these tools, which their own readers read
    huggingface  a data set of episodes and steps, with its card
    csv      a folder with tables of episodes, steps, checks and labels
    parquet  the same as Parquet
    html     one self-contained page for each episode
    sft      chat rows of solved episodes, as OpenAI messages and as ShareGPT
    steps    rewards of single steps, from labels
    preferences  chosen and rejected actions: people's interventions, and forks

    assistantbench-submission, online-mind2web-submission, webarena-verified-submission
             what these leaderboards take: one attempt a task; tasks without an episode are counted

    Of training data (sft, steps, preferences) each row says who judged it by what; what is disputed or not
    judged is left out, and counted with its reason.

    --out - writes to stdout, for a pipe: jsonl, or a har or html of one episode; what is told then goes to
    stderr, and nothing is written before all is made.

    Of the file that an episode was imported from the export has the name, and not the folders above it.

    The written file is read again and counted: a table tells, kind by kind, what the records have, what the
    file gives back, and why the two differ.

    Exit 0 when all is written but what the format has no place for, 1 when something else of these records is
    not in it or has no explanation, 4 when none of the episodes could be written.
    """
    raise typer.Exit(export_episodes(request, as_json=as_json))


def export_episodes(request: ExportRequest, *, as_json: bool) -> int:
    """Write them: 0 whole, 1 where something of the records is not in it.

    Raises:
        UsageError: no such format, run or episode, something at the place, or no one file for stdout.
        BadData: none of the episodes could be written.
        EnvironmentDown: the place can't be written.
    """
    exporter = find_exporter(request.to)
    opened = open_concealing(request.store)
    folders = find_episodes(opened, request.names)
    if request.out == STDOUT:
        _require_one_file(exporter, len(folders), as_json=as_json)
        return _export_to_stdout(request, opened, folders, exporter)
    told = export(opened, folders, exporter, request.out, pictures=request.pictures, force=request.force)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "exported": told})
    else:
        print_line(_summary(told))
        _print_account(told)
        _say_what_lacks(told)
    return int(bool(told.lost))


def _export_to_stdout(request: ExportRequest, store: Store, folders: list[Path], exporter: Exporter) -> int:
    """Whole or not at all: it is made elsewhere first, and what is told of it goes to stderr."""
    with private_room() as room:
        made = room / f"export{exporter.ending}"
        told = export(store, folders, exporter, made, pictures=request.pictures)
        print_file(made)
    told.path = "stdout"
    say(_summary(told))
    for row in told.account:
        if row.reasons:
            counts = f"{row.source:,} in the records, {row.recorded:,} in the file"
            say(f"{row.kind}: {counts}; {reasons_in_words(row)}")
    _say_what_lacks(told)
    return int(bool(told.lost))


def _require_one_file(exporter: Exporter, episodes: int, *, as_json: bool) -> None:
    """Raises `UsageError` for what can't go to stdout."""
    hint = "name a place with --out"
    if not exporter.ending:
        raise UsageError(f"{exporter.name} is written as a folder, which can't go to stdout", hint)
    if episodes > 1 and not exporter.several:
        files = f"{episodes} episodes as {exporter.name} are as many files, which can't go to stdout"
        raise UsageError(files, f"{hint}, or export one episode")
    if as_json:
        raise UsageError("--json and --out - both write to stdout", "leave one of them out")
    if sys.stdout.isatty():
        raise UsageError("stdout is a terminal, which recorded pages could harm", f"pipe it on, or {hint}")


def _summary(told: Exported) -> str:
    what = [counted(told.episodes, "episode"), counted(told.steps, "step")]
    if told.pictures:
        what.append(counted(told.pictures, "picture"))
    if told.rows:
        what.append(counted(told.rows, "row"))
    size = f"{counted(told.files, 'file')}, {told.bytes / 1e6:,.1f} MB"
    return f"{told.path}: {', '.join(what)} as {told.format}, {size}"


def _print_account(told: Exported) -> None:
    """A row for each kind: what the records have, what the file gives back, and why they differ."""
    rows = [(row.kind, row.source, row.recorded, reasons_in_words(row)) for row in told.account]
    if rows:
        print_table(ACCOUNT, rows, numbers=(1, 2), flexible=(3,))


def _say_what_lacks(told: Exported) -> None:
    """Of the format, and of these records."""
    if told.lacks:
        say(f"{told.format} has no place for {told.lacks}")
    for why, count in told.left_out.items():
        say(f"left out {'once' if count == 1 else f'{count:,} times'}: {why}")
    losses = counted_losses(told)
    for line in losses[:TOLD]:
        say(f"lost: {line}")
    if len(losses) > TOLD:
        say(f"... and {len(losses) - TOLD} more (--json has all)")
