"""Commands that take recorded episodes out of the store, and the one that builds its index anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StorePath = Annotated[Path | None, typer.Option("--store", help="Folder that trajectories are kept in.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON (with a schema_version).")]
Pictures = Annotated[bool, typer.Option("--pictures/--no-pictures", help="With the screenshots.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="report")(report_command)


def report_command(
    names: Annotated[
        list[str],
        typer.Argument(help="An episode, several episodes of one task, or runs; unique prefixes will do."),
    ],
    html: Annotated[Path, typer.Option("--html", help="File to write.")],
    pictures: Pictures = True,
    seed: Annotated[int, typer.Option("--seed", help="Seed of resampling, for runs.")] = 0,
    force: Force = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page: an episode to scrub through, attempts side by side, or runs.

    It opens from disk without network. Exit 0, or 4 when part of a record could not be read: the page is
    written and tells which.
    """
    from webbench.tui.headless.reporting import ReportRequest, report

    request = ReportRequest(names=names, html=html, store=store, pictures=pictures, force=force, seed=seed)
    raise typer.Exit(report(request, as_json=as_json))
