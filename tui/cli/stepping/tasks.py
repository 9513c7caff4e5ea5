"""`tasks`: what can be stepped here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.benchmark.benchmark import Problem
from webbench.core.engine import catalogue
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Data, Split
from webbench.tui.cli.output import print_json, print_table, say

SCHEMA_VERSION = 1


def tasks_command(
    benchmark: Annotated[str, typer.Argument(help="Benchmark; all of them if not given.")] = "",
    split: Split = "",
    problems: Annotated[
        bool, typer.Option("--problems", help="What is wrong with the data, instead of the tasks.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List benchmarks with their state, or the tasks of one."""
    raise typer.Exit(list_tasks(benchmark, split=split, data=data, problems=problems, as_json=as_json))


def list_tasks(name: str, *, split: str, data: Path | None, problems: bool, as_json: bool) -> int:
    """All benchmarks, or the tasks of one, or what is wrong with its data.

    The exit code is 1 where the data has errors; the list is printed all the same.

    Raises:
        UsageError: no such benchmark or split.
        BadData: the benchmark's data is missing.
    """
    return _one(name, split, data, problems, as_json) if name else _all(as_json)


def _all(as_json: bool) -> int:
    listed = [catalogue.list_tasks(name) for name in entry_points.load(BENCHMARKS)]
    if as_json:
        rows = [
            {
                "benchmark": one.benchmark,
                "title": one.title,
                "state": one.status.state,
                "detail": one.status.detail,
                "tasks": len(one.entries),
            }
            for one in listed
        ]
        print_json({"schema_version": SCHEMA_VERSION, "benchmarks": rows})
    else:
        cells = [(o.benchmark, o.status.state, len(o.entries), o.title, o.status.detail) for o in listed]
        headers = ("benchmark", "state", "tasks", "title", "detail")
        print_table(headers, cells, numbers=(2,), flexible=(3, 4), optional=(3,))
    return 0


def _one(name: str, split: str, data: Path | None, only_problems: bool, as_json: bool) -> int:
    benchmark = ready_benchmark(name, data)
    if split and split not in benchmark.splits():
        raise UsageError(f'{name} has no split "{split}"', f"it has {', '.join(benchmark.splits())}")
    entries = [entry for entry in benchmark.catalogue() if not split or split in entry.splits]
    problems = benchmark.problems()
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "tasks": entries, "problems": problems})
    elif only_problems:
        found = [(problem.severity, problem.where, problem.message) for problem in problems]
        print_table(("severity", "where", "problem"), found, flexible=(1, 2))
    else:
        rows = [(e.name, e.instances, e.split, e.site, e.kind, e.intent) for e in entries]
        headers = ("task", "instances", "split", "site", "kind", "intent")
        print_table(headers, rows, numbers=(1,), flexible=(5,), optional=(3, 4, 2))
        _say_problems(name, problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _say_problems(name: str, problems: Sequence[Problem]) -> None:
    """Errors in full, the rest as counts: a dirty data set has hundreds of notes."""
    for problem in problems:
        if problem.severity == "error":
            say(f"error: {problem.where}: {problem.message}")
    counts = Counter(problem.severity for problem in problems)
    if counts:
        told = ", ".join(counted(count, severity) for severity, count in sorted(counts.items()))
        say(f"data of {name}: {told}; `webbench-tui tasks {name} --problems` lists them")
