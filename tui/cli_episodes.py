"""Commands over one recorded episode: show it, view it on a screen, fork it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_browser import choosing_browser
from webbench.tui.cli_options import AsJson, Data, DialectName, EpisodeName, Reset, Rules, StorePath
from webbench.tui.terminal import at_terminal


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="show")(show_command)
    app.command(name="view")(view_command)
    app.command(name="fork")(choosing_browser(fork_command))


def show_command(
    name: Annotated[str, typer.Argument(help="Episode, a unique prefix of it, or a run.")],
    step: Annotated[
        int | None, typer.Option("--step", min=0, help="This step alone, with the page it led to.")
    ] = None,
    difference: Annotated[
        bool,
        typer.Option("--difference", help="What the step changed on the page; of all steps, if no --step."),
    ] = False,
    search: Annotated[
        str, typer.Option("--search", help="Where this text stands in actions, reasoning, replies and pages.")
    ] = "",
    screenshot: Annotated[
        Path | None, typer.Option("--screenshot", help="Save the picture of the step in this file.")
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Show one recorded episode step by step, one step of it, or the episodes of a run.

    Exit 1 when --search finds nothing, 4 when part of the record could not be read.
    """
    from webbench.tui.headless.records import show
    from webbench.tui.headless.show_steps import StepsRequest, show_steps

    if step is None and not difference and not search and screenshot is None:
        raise typer.Exit(show(name, store=store, as_json=as_json))
    request = StepsRequest(
        episode=name, step=step, difference=difference, search=search, screenshot=screenshot, store=store
    )
    raise typer.Exit(show_steps(request, as_json=as_json))


def view_command(
    name: EpisodeName,
    step: Annotated[int | None, typer.Option("--step", min=0, help="Open it at this step.")] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Open a recorded episode on the Trajectory screen; without a terminal it is printed as by `show`."""
    if as_json or not at_terminal():
        show_command(name, step, store=store, as_json=as_json)
    from webbench.tui.headless.screens import open_trajectory

    open_trajectory(name, step=step, store=store)


def fork_command(
    name: EpisodeName,
    step: Annotated[int, typer.Option("--step", min=0, help="Repeat it up to this step.")],
    agent: Annotated[
        str, typer.Option("--agent", help="Who goes on: oracle, random, 'command PROGRAM' ...; you, if none.")
    ] = "",
    dialect: DialectName = "",
    rules: Rules = "",
    reset: Reset = None,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Reset the task, repeat a recorded episode up to a step, and go on live from there.

    Every element is found anew by its fingerprint, and after every step the page is compared with the
    recorded one; both is told. The new episode names its origin. Without a terminal (or with --json, or
    with an agent and no terminal) it goes on as `step` does: an agent to its end, else lines of stdin.

    Exit 0 when the new episode was scored; 1 when it was not, or when the step could not be reached (the
    answer says at which step and why); 2 for an unknown episode, step or agent; 3 without a browser or
    site; 4 for a damaged record.
    """
    from webbench.tui.headless.stepping import StepRequest, step_lines

    request = StepRequest(
        resume=name,
        fork_step=step,
        agent=agent,
        dialect=dialect,
        rules=rules,
        reset=reset,
        data=data,
        store=store,
    )
    if as_json or not at_terminal():
        raise typer.Exit(step_lines(request, as_json=as_json))
    from webbench.tui.headless.screens import open_stepper

    open_stepper(request)
