"""Commands over runs that are played elsewhere: look on at an episode, take it over; copy runs to and fro."""

from __future__ import annotations

from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson, StorePath
from webbench.tui.terminal import at_terminal


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="attach")(attach_command)
    app.command(name="push")(push_command)
    app.command(name="pull")(pull_command)


def attach_command(
    name: Annotated[
        str, typer.Argument(help="Episode that is being played, or a run that is playing just one.")
    ],
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over", help="Stop the agent and send lines of stdin as actions, without a screen."
        ),
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Look on at an episode of a running batch in the stepper, and take it over there if need be.

    Looking on reads the store and works from any machine that has it. Taking over stops the agent after the
    step in flight, on the machine that plays the episode; leaving hands it back. Without a terminal every
    step is told in a line; with --take-over lines of stdin are actions, and their end hands back.

    Exit 0 when the episode ended with a score, 1 without one, 2 for an unknown episode, 3 when it can't be
    taken over from here.
    """
    from webbench.tui.headless.attaching import attach, running_episode
    from webbench.tui.headless.place import open_store

    if as_json or take_over or not at_terminal():
        raise typer.Exit(attach(name, take_over=take_over, store=store, as_json=as_json))
    from webbench.tui.headless.screens import open_attached

    open_attached(running_episode(open_store(store), name))


SharedAddress = Annotated[
    str, typer.Argument(help="Address of a store that machines share: file://, s3://, gs://, sftp:// ...")
]
Runs = Annotated[list[str] | None, typer.Argument(help="Only these runs; all, if none is named.")]


def push_command(
    address: SharedAddress, runs: Runs = None, store: StorePath = None, as_json: AsJson = False
) -> None:
    """Copy runs to a shared store: what is not there yet. Nothing there is deleted.

    Exit 1 when an episode could not be copied, 3 when the address can't be reached.
    """
    from webbench.tui.headless.copying import push_runs

    raise typer.Exit(push_runs(address, tuple(runs or ()), store=store, as_json=as_json))


def pull_command(
    address: SharedAddress, runs: Runs = None, store: StorePath = None, as_json: AsJson = False
) -> None:
    """Copy runs from a shared store: what is not here yet, or had not ended when it was copied.

    Exit 1 when an episode could not be copied, 3 when the address can't be reached.
    """
    from webbench.tui.headless.copying import pull_runs

    raise typer.Exit(pull_runs(address, tuple(runs or ()), store=store, as_json=as_json))
