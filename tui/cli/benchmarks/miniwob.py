"""`miniwob oracles`."""

from __future__ import annotations

from typing import Annotated

import typer

from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import print_json, print_table, say

SCHEMA_VERSION = 1


def miniwob_oracles_command(
    without: Annotated[bool, typer.Option("--without", help="Only those that have none.")] = False,
    as_json: AsJson = False,
) -> None:
    """Which environments have an oracle, and why the others have none.

    `run miniwob --agent oracle` plays them. Exit 0.
    """
    from webbench.benchmarks.miniwob.environments import known
    from webbench.benchmarks.miniwob.plans.table import PARTLY, PLANS, WITHOUT

    reasons = {**WITHOUT, **PARTLY}
    solves = dict.fromkeys(PLANS, "solves it") | dict.fromkeys(PARTLY, "most seeds")
    rows = [
        (name, one.split, one.kind, solves.get(name, "none"), reasons.get(name, ""))
        for name, one in known().items()
        if not (without and name in PLANS)
    ]
    if as_json:
        keys = ("environment", "split", "kind", "oracle", "reason")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"schema_version": SCHEMA_VERSION, "environments": listed})
        return
    print_table(("environment", "split", "kind", "oracle", "reason"), rows)
    say(f"{counted(len(PLANS), 'environment')} of {len(known())} have a plan")
