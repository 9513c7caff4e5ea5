"""`tasks`: what can be stepped here, samples of it, and named subsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.benchmark.benchmark import Problem
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.benchmark.subsets import (
    FACETS,
    SIGN,
    Facet,
    Subset,
    delete_subset,
    drawn_entries,
    matching,
    rename_subset,
    save_subset,
    subset_words,
    subsets,
    with_subsets,
)
from webbench.core.engine import catalogue
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.runner.plan.declared_options import Option
from webbench.core.runner.plan.run_request import part_named_task
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Data, Force, OnlyTasks, Split, asking
from webbench.tui.cli.output import print_json, print_table, say

SCHEMA_VERSION = 1


class TasksRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `tasks` asks for."""

    benchmark: Annotated[str, Option(argument=True, help="Benchmark; all of them if not given.")] = ""
    split: Split = ""
    tasks: OnlyTasks = ()
    wanted: Annotated[
        str, Option(flag="--filter", help="Only tasks that hold each word; site:map looks in the site alone.")
    ] = ""
    sample: Annotated[int | None, Option(help="Draw so many of them.", least=1)] = None
    seed: Annotated[int, Option(help="Seed of the sample.")] = 0
    by: Annotated[
        tuple[str, ...],
        Option(help="Draw with the shares of this field: site, kind, template or split; may be repeated."),
    ] = ()
    save_subset: Annotated[
        str, Option(help="Keep these tasks under a name; --task @NAME means them from then on.")
    ] = ""
    force: Force = False
    rename_subset: Annotated[str, Option(help="OLD=NEW: call a subset something else.")] = ""
    delete_subset: Annotated[str, Option(help="Forget the subset of this name; its tasks stay.")] = ""
    subsets: Annotated[bool, Option(help="The subsets there are, instead of the tasks.")] = False
    problems: Annotated[bool, Option(help="What is wrong with the data, instead of the tasks.")] = False
    data: Data = None

    def __post_init__(self) -> None:
        part_named_task(self, self.benchmark, self.tasks)


@asking(TasksRequest)
def tasks_command(request: TasksRequest, as_json: AsJson = False) -> None:
    """List benchmarks with their state, or the tasks of one. Draws samples, and keeps named subsets.

    With the same seed the same tasks are drawn, whatever their order. The exit code is 1 where the data has
    errors; the list is printed all the same.
    """
    changed = bool(request.rename_subset or request.delete_subset)
    if request.benchmark:
        _change_subsets(request)
        listed = request.subsets or changed
        raise typer.Exit(_subsets(request, as_json) if listed else _one(request, as_json))
    if changed or request.save_subset or request.sample or request.subsets or request.tasks or request.wanted:
        raise UsageError("Of which benchmark?", "name it: `webbench-tui tasks BENCHMARK ...`")
    raise typer.Exit(_all(as_json))


def _change_subsets(request: TasksRequest) -> None:
    """Rename and delete as asked for.

    Raises `UsageError` for an unknown subset, a name that is taken, and where tasks are asked for besides.
    """
    asked = request.save_subset or request.sample or request.tasks or request.wanted or request.split
    if asked and (request.rename_subset or request.delete_subset):
        raise UsageError("A subset is renamed or deleted by itself", "list or save tasks by another call")
    if request.rename_subset:
        old, sign, new = request.rename_subset.partition("=")
        if not sign:
            raise UsageError(f"What is {old} to be called?", "write OLD=NEW")
        old, new = old.removeprefix(SIGN), new.removeprefix(SIGN)
        renamed = rename_subset(request.benchmark, old, new, force=request.force)
        say(f"{SIGN}{old} is called {SIGN}{renamed.name} now")
    if request.delete_subset:
        gone = delete_subset(request.benchmark, request.delete_subset.removeprefix(SIGN))
        say(f"{SIGN}{gone.name} is forgotten; it was {subset_words(gone)}")


def _subsets(request: TasksRequest, as_json: bool) -> int:
    """The named subsets of a benchmark; exit code 4 where one can't be read."""
    problems: list[str] = []
    found = subsets(request.benchmark, problems)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "subsets": found, "problems": problems})
    elif found:
        rows = [(f"{SIGN}{one.name}", len(one.tasks), subset_words(one)) for one in found]
        print_table(("subset", "tasks", "how it came about"), rows, numbers=(1,), flexible=(2,))
    elif not problems:
        say(f"{request.benchmark} has no subset: --save-subset NAME keeps what is listed as one")
    for problem in problems:
        say(problem)
    return 4 if problems else 0


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


def _one(request: TasksRequest, as_json: bool) -> int:
    """The tasks of a benchmark, or what is wrong with its data, and the subset that was saved.

    Raises:
        UsageError: no such benchmark, split, task, subset or field, or too few tasks.
        BadData: the benchmark's data is missing.
    """
    name, split = request.benchmark, request.split
    benchmark = ready_benchmark(name, request.data)
    require_split(split, benchmark.splits(), name)
    entries = [entry for entry in benchmark.catalogue() if not split or split in entry.splits]
    if request.tasks:
        names = with_subsets(name, request.tasks)
        require_names(names, {entry.name for entry in entries}, name, split)
        entries = [entry for entry in entries if entry.name in names]
    fields = _fields(request.by)
    entries = drawn_entries(matching(entries, request.wanted), request.sample, seed=request.seed, by=fields)
    if request.save_subset:
        subset = Subset(
            name=request.save_subset,
            benchmark=name,
            tasks=tuple(entry.name for entry in entries),
            wanted=request.wanted,
            split=split,
            sample=request.sample,
            seed=request.seed,
            by=fields,
        )
        path = save_subset(subset, force=request.force)
        say(f"--task {SIGN}{subset.name} means {subset_words(subset)}: {path}")
    problems = benchmark.problems()
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "tasks": entries, "problems": problems})
    elif request.problems:
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


def _fields(names: Sequence[str]) -> tuple[Facet, ...]:
    """Raises `UsageError` for one that tasks can't be drawn by."""
    known: dict[str, Facet] = {**{name: name for name in FACETS}, "type": FACETS[1]}
    for name in names:
        if name not in known:
            raise UsageError(f'Tasks are not drawn by "{name}"', f"by {', '.join(FACETS)}")
    return tuple(known[name] for name in names)
