"""`stats`: the whole analysis of runs, headless, and what a planned number of tasks can show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.detectable_differences import planned_section
from webbench.core.analysis.runs.kept_analysis import kept_analysis
from webbench.core.analysis.runs.whole_run import SCHEMA_VERSION, analyse
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.statistics.figures import Analysis, Section
from webbench.core.store.called_runs import runs_called
from webbench.core.text.nearest import suggestion
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import AsJson, BenchmarkRuns, OnlyTasks, ResamplingSeed, StorePath, asking
from webbench.tui.cli.output import print_json, print_line, print_table, say, wrapped
from webbench.tui.cli.place import open_store


class StatsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `stats` asks for."""

    runs: BenchmarkRuns = ()
    only: OnlyTasks = ()
    sections: Annotated[
        tuple[str, ...], Option(flag="--section", help="Print this section alone; may be repeated.")
    ] = ()
    power: Annotated[bool, Option(help="Tell what --tasks can show; takes no run.")] = False
    tasks: Annotated[int, Option(help="Tasks that are planned.")] = 0
    rate: Annotated[float, Option(help="Success rate that is expected.")] = 0.5
    per_template: Annotated[float, Option(help="Tasks per template.")] = 1
    correlation: Annotated[float, Option(help="How alike tasks of a template turn out, 0 to 1.")] = 0
    seed: ResamplingSeed = 0
    store: StorePath = None


@asking(StatsRequest)
def stats_command(request: StatsRequest, as_json: AsJson = False) -> None:
    """Analyse runs: rates with intervals, who solves what, steps, templates, ways through pages, power.

    Tasks of one template are drawn together. With --power it tells how many tasks a comparison takes. Exit 4
    when an episode could not be read.
    """
    if request.power and not request.runs:
        plan = Plan(
            tasks=request.tasks,
            rate=request.rate,
            per_template=request.per_template,
            correlation=request.correlation,
        )
        raise typer.Exit(print_plan(plan, as_json=as_json))
    raise typer.Exit(print_stats(request, as_json=as_json))


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `stats --power`."""

    tasks: int
    rate: float = 0.5
    per_template: float = 1
    correlation: float = 0
    power: float = 0.8


def print_stats(request: StatsRequest, *, as_json: bool) -> int:
    """Print the figures: 0, or 4 where an episode could not be read."""
    store = open_store(request.store)
    runs = runs_called(store, request.runs)
    if request.only:
        found = analyse(store, runs, seed=request.seed, tasks=request.only)
    else:
        found = kept_analysis(store, runs, seed=request.seed)
    wanted = [*request.sections, *(["power"] if request.power else [])]
    analysis = msgspec.structs.replace(found.analysis, sections=_wanted(found.analysis, wanted))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "rates": found.rates, "analysis": analysis})
    else:
        _print(analysis)
    for problem in analysis.problems:
        say(problem)
    return 4 if analysis.problems else 0


def print_plan(plan: Plan, *, as_json: bool) -> int:
    """What a planned number of tasks can show. Raises `UsageError` for impossible numbers."""
    if plan.tasks < 1 or not (0 <= plan.rate <= 1 and 0 <= plan.correlation <= 1 and 0 < plan.power < 1):
        raise UsageError(
            "Power needs at least one task, and a rate, a correlation and a power between 0 and 1",
            "for example --power --tasks 200 --rate 0.4",
        )
    if plan.per_template < 1:
        raise UsageError("A template has at least one task", "give --per-template 1 or more")
    section = planned_section(
        plan.tasks,
        plan.rate,
        cluster_size=plan.per_template,
        correlation=plan.correlation,
        power=plan.power,
    )
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "plan": plan, "section": section})
    else:
        print_section(section)
    return 0


def _wanted(analysis: Analysis, names: Sequence[str]) -> tuple[Section, ...]:
    known = [section.name for section in analysis.sections]
    for name in names:
        if name not in known:
            raise UsageError(f'These runs have no section "{name}"', suggestion(name, known))
    return tuple(section for section in analysis.sections if not names or section.name in names)


def _print(analysis: Analysis) -> None:
    rows = [(actor.letter, actor.run, actor.agent) for actor in analysis.actors]
    print_table(("", "run", "agent"), rows, flexible=(2,))
    for section in analysis.sections:
        print_section(section)
    print_line()
    print_line("How the figures came about")
    for sentence in analysis.methods:
        print_line(wrapped(sentence, "- "))
