"""`plugins` and `serve`: what others bring along, and what others can use."""

from __future__ import annotations

from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="plugins")(plugins_command)


def plugins_command(
    group: Annotated[
        str, typer.Argument(help="Only this group: agents, benchmarks, dialects, formats, exporters ...")
    ] = "",
    foreign: Annotated[bool, typer.Option("--foreign", help="Only those that other packages bring.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what is plugged in, from where, and whether it works or why not. Exit 1 when one is broken.

    A package brings its own by entry points; examples/plugin is one with everything. Where two have one name
    the built-in one is used, and the other is told as unused.
    """
    from webbench.tui.headless.plugins import list_plugins

    raise typer.Exit(list_plugins(group, only_foreign=foreign, as_json=as_json))
