"""Commands over recorded episodes: bringing in what other tools recorded, comparing attempts, figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, ResamplingSeed, StorePath


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="import")(import_command)
    app.command(name="compare")(compare_command)
    app.command(name="stats")(stats_command)
    app.command(name="interventions")(interventions_command)


def import_command(
    path: Annotated[Path, typer.Argument(help="File or folder with episodes that other tools recorded.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything, keep nothing.")] = False,
    only: Annotated[str, typer.Option("--format", help="Try this format alone.")] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Keep once more what was imported from these files before.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Import recorded episodes of other tools; their format is detected from the files.

    What an earlier import kept of the same files is known and stays as it is, so an import that was
    interrupted may simply be repeated.

    Exit 0 when all was imported, 1 when something was refused or lost (the table says what), 4 when there
    was nothing usable.
    """
    from webbench.tui.headless.importing import import_trajectories

    code = import_trajectories(path, only=only, store=store, dry_run=dry_run, again=again, as_json=as_json)
    raise typer.Exit(code)


def compare_command(
    episodes: Annotated[
        list[str], typer.Argument(help="Two or more episodes of one task, or unique prefixes of them.")
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Also with every other attempt at the first one's task.")
    ] = False,
    others: Annotated[
        bool, typer.Option("--others", help="Only list what the episode can be compared with.")
    ] = False,
    screen: Annotated[bool, typer.Option("--screen", help="Show them side by side on a screen.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Align attempts at one task step by step: where they part, meet again, and go in circles.

    A human's attempt comes first. Exit 4 when part of a record could not be read.
    """
    from webbench.tui.headless.comparing import compare_episodes, list_attempts

    if screen:
        from webbench.tui.headless.screens import open_comparison

        open_comparison(episodes, every=every, store=store)
        return
    if others:
        raise typer.Exit(list_attempts(episodes[0], store=store, as_json=as_json))
    raise typer.Exit(compare_episodes(episodes, every=every, store=store, as_json=as_json))


def stats_command(
    runs: Annotated[list[str] | None, typer.Argument(help="One or more runs of a benchmark.")] = None,
    section: Annotated[
        list[str] | None, typer.Option("--section", help="Print this section alone; may be repeated.")
    ] = None,
    power: Annotated[bool, typer.Option("--power", help="Tell what --tasks can show; takes no run.")] = False,
    tasks: Annotated[int, typer.Option("--tasks", help="Tasks that are planned.")] = 0,
    rate: Annotated[float, typer.Option("--rate", help="Success rate that is expected.")] = 0.5,
    per_template: Annotated[float, typer.Option("--per-template", help="Tasks per template.")] = 1,
    correlation: Annotated[
        float, typer.Option("--correlation", help="How alike tasks of a template turn out, 0 to 1.")
    ] = 0,
    seed: ResamplingSeed = 0,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Analyse runs: rates with intervals, who solves what, steps, templates, ways through pages, power.

    Tasks of one template are drawn together. With --power it tells how many tasks a comparison takes. Exit 4
    when an episode could not be read.
    """
    from webbench.tui.headless.figures import Plan, print_plan, print_stats

    if power and not runs:
        plan = Plan(tasks=tasks, rate=rate, per_template=per_template, correlation=correlation)
        raise typer.Exit(print_plan(plan, as_json=as_json))
    wanted = [*(section or ()), *(["power"] if power else [])]
    code = print_stats(runs or (), sections=wanted, seed=seed, store=store, as_json=as_json)
    raise typer.Exit(code)


def interventions_command(
    runs: Annotated[list[str], typer.Argument(help="One or more runs of a benchmark.")],
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Tell how often and where people stepped in while agents worked, and how much they changed.

    Every decision on a proposal (accepted, picked, edited, replaced, rejected), taking over, pausing, and
    what the guard refused, by episode and step. Exit 4 when an episode could not be read.
    """
    from webbench.tui.headless.interventions import print_interventions

    raise typer.Exit(print_interventions(runs, store=store, as_json=as_json))
