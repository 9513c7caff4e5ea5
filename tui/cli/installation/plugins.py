"""`plugins`: what is plugged in, from where, and whether it works."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

import typer

from webbench.core.doctor.plugin_check import plugins
from webbench.core.text.no_value import NO_VALUE
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import print_json, print_table, say

SCHEMA_VERSION = 1
SIGNS = {"ok": "ok", "broken": "x broken", "unused": "! unused"}


def plugins_list_command(
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
    raise typer.Exit(list_plugins(group, only_foreign=foreign, as_json=as_json))


def list_plugins(group: str, *, only_foreign: bool, as_json: bool) -> int:
    """Print them all, or those of one group; the exit code is 1 where one is broken.

    Raises `UsageError` for an unknown group.
    """
    with contextlib.redirect_stdout(sys.stderr):
        listed = [one for one in plugins(group) if not only_foreign or one.origin == "foreign"]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "plugins": listed})
    elif not listed:
        say("No other package brings plug-ins; examples/plugin is one that does.")
    else:
        rows = [
            (
                one.group,
                one.name,
                SIGNS[one.state],
                one.origin,
                _package(one.distribution, one.version),
                one.problem,
            )
            for one in listed
        ]
        print_table(
            ("group", "name", "state", "origin", "package", "problem"), rows, flexible=(5, 4), whole=True
        )
    return 1 if any(one.state == "broken" for one in listed) else 0


def _package(distribution: str, version: str) -> str:
    return f"{distribution} {version}" if distribution else NO_VALUE
