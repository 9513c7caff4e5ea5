"""`plugins check`: whether what a package plugs in keeps its contracts, rule by rule."""

from __future__ import annotations

import shlex
from typing import Annotated

import msgspec
import typer

from webbench.core.conformance.package_check import Asking, Checked, check_package
from webbench.core.conformance.rule import Finding
from webbench.core.errors import UsageError
from webbench.core.text.plain_text import plain_text
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import print_json, print_line, print_table, say

SCHEMA_VERSION = 1
SIGNS = {"kept": "ok", "broken": "x broken", "left out": "- left out", "down": "! down"}


def plugins_check_command(
    package: Annotated[str, typer.Argument(help="An installed package, as pip calls it: webbench-example.")],
    group: Annotated[
        str, typer.Option("--group", help="Only what it brings of this group: benchmarks, formats ...")
    ] = "",
    name: Annotated[str, typer.Option("--name", help="Only the plug-in of this name.")] = "",
    tasks: Annotated[
        int, typer.Option("--tasks", min=0, help="How many tasks of a benchmark are played.")
    ] = 2,
    seed: Annotated[int, typer.Option("--seed", help="Of everything that is drawn.")] = 0,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, help="Longest time for one plug-in, in seconds.")
    ] = 600.0,
    options: Annotated[
        str, typer.Option("--options", help="Words that an agent is made with, where it needs any.")
    ] = "",
    network: Annotated[
        bool, typer.Option("--network", help="Let it reach other machines, where bubblewrap would keep it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask all that a package plugs in whether it keeps its contract, rule by rule.

    Each plug-in runs in a process of its own, which is ended after --timeout. Where bubblewrap works it can
    write in a folder of its own alone, at most 1 GiB, and has no network; what is bounded here, and what is
    not, is said at the end. Exit 1 where a rule is
    broken, 2 for a package that plugs nothing in, 3 where a browser or site was not there.
    """
    try:
        words = tuple(shlex.split(options))
    except ValueError as error:
        raise UsageError(f"--options can't be read: {error}", "close its quotes") from error
    asking = Asking(
        seed=seed, tasks=tasks, seconds=timeout, group=group, name=name, options=words, network=network
    )
    checked = check_package(package, asking, _tell)
    if as_json:
        told = {"schema_version": SCHEMA_VERSION, "counts": checked.counts}
        print_json(told | msgspec.to_builtins(checked))
    else:
        _print(checked)
    raise typer.Exit(checked.exit_code)


def _tell(finding: Finding) -> None:
    """On stderr, as soon as it is known: a benchmark takes its time."""
    say(f"{finding.group} {finding.plugin}: {finding.rule} {SIGNS[finding.state]}")


def _print(checked: Checked) -> None:
    """All rules as a table, and of those that are broken everything that is known."""
    rows = [(one.group, one.plugin, one.rule, SIGNS[one.state], one.found) for one in checked.findings]
    print_table(("group", "name", "rule", "state", "found"), rows, flexible=(4,))
    for one in checked.findings:
        if one.state == "broken":
            print_line()
            print_line(plain_text(f"{one.group} {one.plugin}: {one.rule}"))
            for label in ("found", "expected", "why", "contract"):
                print_line(plain_text(f"  {label}: {getattr(one, label)}"))
    print_line()
    counts = ", ".join(f"{count} {state}" for state, count in checked.counts.items())
    print_line(f"{checked.package} {checked.version}: {counts}")
    for line in checked.bounds.bounded:
        print_line(plain_text(f"  bounded, {line}"))
    for line in checked.bounds.unbounded:
        print_line(plain_text(f"  not bounded, {line}"))
