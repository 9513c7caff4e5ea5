"""`data stats`: what a benchmark's data set holds, beside the numbers that its paper prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.printed.beside_printed import (
    SCHEMA_VERSION,
    BesidePrinted,
    as_figure,
    beside_printed,
    beside_printed_json,
)
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.analysis.printed.installed_papers import paper_names, paper_of
from webbench.core.analysis.printed.printed_table import Paper
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings import locations
from webbench.core.text.nearest import suggestion
from webbench.tui.cli.options import AsCsv, AsJson, AsLatex, Data, asking
from webbench.tui.cli.output import print_json, print_line, print_text, say
from webbench.tui.cli.place import data_folder
from webbench.tui.cli.records.paper import NOTHING_OF_OURS, print_tables, print_tables_for_files

NOTHING_DESCRIBED = "its paper has no table of the data"


class StatisticsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `data stats` asks for."""

    benchmark: Annotated[str, Option(argument=True, help="Whose data set; all of them if not given.")] = ""
    tables: Annotated[
        tuple[str, ...],
        Option(flag="--table", help='Name, "table 2" or "by split"; all if not given; may be repeated.'),
    ] = ()
    as_csv: AsCsv = False
    as_latex: AsLatex = False
    data: Data = None


@asking(StatisticsRequest)
def data_stats_command(request: StatisticsRequest, as_json: AsJson = False) -> None:
    """Describe a data set: tasks, fields, turns, lengths, splits, beside what its paper prints of them.

    Without a data folder the bundled tasks are described. Exit 1 where a table could not be filled, with
    what it takes.
    """
    raise typer.Exit(print_statistics(request, as_json=as_json))


def print_statistics(request: StatisticsRequest, *, as_json: bool) -> int:
    """Print the tables: 0, or 1 where one has nothing of ours.

    Raises:
        UsageError: unknown names, several forms at once, tables or data without a benchmark.
        BadData: the data can't be read.
    """
    if as_json + request.as_csv + request.as_latex > 1:
        raise UsageError("--json, --csv and --latex can't be printed at once", "choose one")
    if not request.benchmark and (request.tables or request.data):
        raise UsageError(
            "Tables and data are those of one benchmark", f"name one of {', '.join(paper_names())}"
        )
    found: list[BesidePrinted] = []
    for name in [request.benchmark] if request.benchmark else paper_names():
        paper = paper_of(name)
        described = _described(paper, request)
        found += described
        if not as_json and not request.as_csv and not request.as_latex:
            if not request.benchmark:
                print_line()
                print_text(f"{name.upper()}: {described[0].paper if described else NOTHING_DESCRIBED}")
            print_tables(described)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "tables": [beside_printed_json(one) for one in found]})
    elif request.as_csv or request.as_latex:
        print_tables_for_files([as_figure(one) for one in found], as_latex=request.as_latex)
    return NOTHING_OF_OURS if any(one.missing for one in found) else 0


def _described(paper: Paper, request: StatisticsRequest) -> Sequence[BesidePrinted]:
    known = [one.name for one in paper.of_data()]
    names = [paper.table(name).name for name in request.tables] or known
    for name in names:
        if name not in known:
            near = suggestion(name, known)
            raise UsageError(f"{paper.benchmark}'s {name} does not describe its data set", near)
    data = locations.benchmark_data(paper.benchmark, data_folder(paper.benchmark, request.data))
    evidence = Evidence(data=data or _bundled(paper.benchmark))
    return [beside_printed(paper, name, evidence) for name in names]


def _bundled(benchmark: str) -> Path | None:
    """The first bundle's tasks, which stand in where no data folder is set; that is told."""
    bundle = next(iter(bundles_of(benchmark)), None)
    if bundle is not None:
        say(f"no data folder of {benchmark} is set: these are the bundled tasks of {bundle.name}")
    return bundle.data if bundle is not None else None
