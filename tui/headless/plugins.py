"""`plugins`: what is plugged in, from where, and whether it works."""

from __future__ import annotations

import contextlib
import sys

from webbench.core.plugins import plugins
from webbench.tui.headless.output import print_json, print_table, say

SCHEMA_VERSION = 1
SIGNS = {"ok": "ok", "broken": "x broken", "unused": "! unused"}


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
    return f"{distribution} {version}" if distribution else "–"
