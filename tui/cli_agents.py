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
    copy_prompts: Annotated[
        bool, typer.Option("--copy-prompts", help="Copy its built-in prompts to where yours replace them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List agents and presets with where they are from; with a name, its options, prompts, and their origins.

    A preset is an agent with options under a name of its own: a TOML file in the folder that `config` calls
    agent presets, beside the built-in ones. Exit 1 when one can't be used.

    A prompt is a text file. --copy-prompts puts a copy of each, to be changed, where it counts in place of
    the built-in one; what is there already stays as it is.
    """
    from webbench.tui.headless.agents import copy_prompts_of, list_agents

    if copy_prompts:
        raise typer.Exit(copy_prompts_of(name, as_json=as_json))
    raise typer.Exit(list_agents(name, as_json=as_json))
