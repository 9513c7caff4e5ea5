"""`plugins` and `serve`: what others bring along, and what others can use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.tui.cli_options import (
    AllowHosts,
    AsJson,
    DialectName,
    GuardMode,
    LimitSeconds,
    LimitSteps,
    Reset,
    Rules,
    StorePath,
)

serve_commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Let programs of others work with it."
)


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="plugins")(plugins_command)
    app.add_typer(serve_commands, name="serve")


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


@serve_commands.command(name="mcp")
def serve_mcp_command(
    benchmark: Annotated[str, typer.Option("--benchmark", help="Offer this benchmark only.")] = "",
    task: Annotated[
        str, typer.Option("--task", help="Offer this task of it only: name, or name#instance.")
    ] = "",
    hide_score: Annotated[
        bool, typer.Option("--hide-score", help="Tell the client no score before the end.")
    ] = False,
    idle: Annotated[
        float, typer.Option("--idle", min=1, help="Seconds without a call after which an episode is ended.")
    ] = 1800.0,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=1, max=65535, help="Serve HTTP on this port of loopback, not stdin and stdout."
        ),
    ] = None,
    limit_steps: LimitSteps = 0,
    limit_seconds: LimitSeconds = 0.0,
    guard: GuardMode = "",
    allow_host: AllowHosts = None,
    dialect: DialectName = "",
    rules: Rules = "",
    reset: Reset = None,
    data: Annotated[Path | None, typer.Option("--data", help="Data of the benchmark given.")] = None,
    store: StorePath = None,
) -> None:
    """Offer tasks to a client of the Model Context Protocol: list, start, observe, act, score, finish.

    One episode at a time, recorded as every other, with the actor "mcp"; limits and guard hold, and what a
    person would have to confirm is refused. When the client goes away the open episode is ended as not
    scored, and the browser with it. Needs the extra webbench-tui[mcp].
    """
    from webbench.core.episode_limits import Budget
    from webbench.tui.headless.serving import ServeRequest, serve_mcp

    request = ServeRequest(
        benchmark=benchmark,
        task=task,
        dialect=dialect,
        rules=rules,
        hide_score=hide_score,
        idle=idle,
        budget=Budget(steps=limit_steps, seconds=limit_seconds),
        guard=guard,
        hosts=tuple(allow_host or ()),
        port=port,
        reset=reset,
        data=data,
        store=store,
    )
    raise typer.Exit(serve_mcp(request))
