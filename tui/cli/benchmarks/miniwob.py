"""`miniwob oracles` and `miniwob table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_table, say
from webbench.tui.cli.place import open_store

if TYPE_CHECKING:
    from webbench.benchmarks.miniwob.side_by_side import Cell

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


def miniwob_table_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """What people, agents and the oracle reached in each environment: one table of the store's episodes.

    For each source the number of episodes, their mean score and mean steps; what is missing is told below
    it. Exit 0.
    """
    from webbench.benchmarks.miniwob.side_by_side import source_table

    table = source_table(open_store(store).episodes())
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **msgspec.to_builtins(table)})
        return
    headers = [f"{source} {what}" for source in table.sources for what in ("n", "reward", "steps")]
    rows = [
        (name, *(text for source in table.sources for text in _cell(row.get(source))))
        for name, row in table.environments.items()
    ]
    print_table(("environment", *headers), rows, numbers=range(1, len(headers) + 1))
    for line in table.missing:
        say(line)


def _cell(cell: Cell | None) -> tuple[str, str, str]:
    if cell is None:
        return NO_VALUE, NO_VALUE, NO_VALUE
    some = str(cell.episodes) if cell.scored == cell.episodes else f"{cell.scored} of {cell.episodes}"
    return some, or_dash(cell.reward, ".2f"), or_dash(cell.steps, ".1f")
