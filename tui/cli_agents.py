"""`agents`: who can play."""

from __future__ import annotations

from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module into the program."""
    app.command(name="agents")(agents_command)


def agents_command(
    name: Annotated[str, typer.Argument(help="Show this one, with what its options come down to.")] = "",
    as_json: AsJson = False,
) -> None:
    """List agents and presets with where they are from; with a name, its options and where each is set.

    A preset is an agent with options under a name of its own: a TOML file in the folder that `config` calls
    agent presets, beside the built-in ones. Exit 1 when one can't be used.
    """
    from webbench.tui.headless.agents import list_agents

    raise typer.Exit(list_agents(name, as_json=as_json))
