"""Commands that take recorded episodes out of the store, and the one that builds its index anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, StorePath

Pictures = Annotated[bool, typer.Option("--pictures/--no-pictures", help="With the screenshots.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="export")(export_command)
    app.command(name="report")(report_command)
    app.command(name="reindex")(reindex_command)


def export_command(
    names: Annotated[
        list[str], typer.Argument(help="Runs and episodes; unique prefixes of episodes will do.")
    ],
    to: Annotated[str, typer.Option("--to", help="adp, csv, har, html, jsonl, parquet or weblinx.")],
    out: Annotated[Path, typer.Option("--out", help="File or folder to make; - for stdout.")],
    pictures: Pictures = True,
    force: Force = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Write recorded episodes in another format, whole or not at all.

    \b
    jsonl    everything, one step a line; `import` reads it back (.jsonl.gz: packed)
    adp      Agent Data Protocol 1.2: a folder with trajectories.jsonl and images
    weblinx  a demonstration folder for each episode
    har      HAR 1.2 for each episode whose network was recorded
    csv      a folder with tables of episodes, steps, checks and labels
    parquet  the same as Parquet
    html     one self-contained page for each episode

    --out - writes to stdout, for a pipe: jsonl, or a har or html of one episode; what is told then goes to
    stderr, and nothing is written before all is made.

    What a format has no place for is told. Exit 0 when all else is written, 1 when something of these
    records is not in it (the output says what), 4 when none of the episodes could be written.
    """
    from webbench.tui.headless.exporting import ExportRequest, export_episodes

    request = ExportRequest(names=names, to=to, out=out, store=store, pictures=pictures, force=force)
    raise typer.Exit(export_episodes(request, as_json=as_json))


def reindex_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """Build the store's index anew from its folders, and tell what can't be read.

    The index is a cache, so nothing can be lost by it. Exit 4 when a run or an episode could not be read.
    """
    from webbench.tui.headless.exporting import reindex

    raise typer.Exit(reindex(store=store, as_json=as_json))


def report_command(
    names: Annotated[
        list[str],
        typer.Argument(help="An episode, several episodes of one task, or runs; unique prefixes will do."),
    ],
    html: Annotated[Path, typer.Option("--html", help="File to write.")],
    pictures: Pictures = True,
    small_pictures: Annotated[
        bool, typer.Option("--small-pictures", help="Screenshots at most 800 pixels wide, with losses.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of resampling, for runs.")] = 0,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="For runs: a folder for the drawings as SVG and PNG.")
    ] = None,
    force: Force = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page: an episode to scrub through, attempts side by side, or runs.

    It opens from disk without network. Exit 0, or 4 when part of a record could not be read: the page is
    written and tells which.
    """
    from webbench.tui.headless.reporting import ReportRequest, report

    request = ReportRequest(
        names=names,
        html=html,
        store=store,
        pictures=pictures,
        small_pictures=small_pictures,
        force=force,
        seed=seed,
        figures=figures,
    )
    raise typer.Exit(report(request, as_json=as_json))
