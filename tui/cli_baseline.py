"""Human baselines: sessions of annotators, who does what, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, Data, ResamplingSeed, StorePath
from webbench.tui.terminal import at_terminal


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="baseline")(baseline_command)


def baseline_command(
    study: Annotated[
        Path | None, typer.Argument(help="A study: a TOML file, see examples/laptop-arena-study.toml.")
    ] = None,
    annotator: Annotated[
        str, typer.Option("--as", help="Work on it under this pseudonym; with --json: how far that is.")
    ] = "",
    plan: Annotated[bool, typer.Option("--plan", help="Which tasks were drawn, and who does them.")] = False,
    results: Annotated[bool, typer.Option("--results", help="Rates, times and agreement so far.")] = False,
    runs: Annotated[
        list[str] | None,
        typer.Option("--from", help="The same of this run of people, imported or stepped; repeatable."),
    ] = None,
    beside: Annotated[
        list[str] | None, typer.Option("--beside", help="A run of a model on the same tasks; repeatable.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the results as one self-contained page, too.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    seed: ResamplingSeed = 0,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Collect and report human baselines.

    A session asks one task after the other, on the agent's observation and with its actions. It can be left,
    or killed, at any time: the same command goes on where it was. Annotators are pseudonyms.

    Exit 0 when the study is complete, or was worked on; 1 when something of it is open, has no score, or
    can't be worked on here yet.
    """
    from webbench.tui.headless import baselines

    request = baselines.BaselineRequest(
        study=study,
        annotator=annotator,
        runs=tuple(runs or ()),
        beside=tuple(beside or ()),
        html=html,
        force=force,
        seed=seed,
        data=data,
        store=store,
    )
    interactive = at_terminal() and not as_json
    raise typer.Exit(
        baselines.baseline(request, plan=plan, results=results, interactive=interactive, as_json=as_json)
    )
