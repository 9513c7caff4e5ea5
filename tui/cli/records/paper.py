"""`paper`: the tables and figures of a benchmark's paper, filled from runs, beside the printed numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.paper.paper_figure import PaperFigure
from webbench.core.analysis.printed.beside_printed import (
    SCHEMA_VERSION,
    BesidePrinted,
    as_figure,
    as_table,
    beside_printed,
    beside_printed_json,
)
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.analysis.printed.installed_papers import paper_names, paper_of
from webbench.core.analysis.printed.printed_table import Paper
from webbench.core.analysis.recorded.run_records import RecordedRun, read_runs
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.runner.plan.declared_options import Option
from webbench.core.statistics.figures import Section
from webbench.core.store.called_runs import runs_called
from webbench.core.text.plural import counted
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import (
    AsCsv,
    AsJson,
    AsLatex,
    Data,
    Force,
    OnlyTasks,
    PictureFormats,
    ResamplingSeed,
    Rules,
    StorePath,
    asking,
)
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.place import data_folder, open_concealing, open_store

LIST = "list"
NOTHING_OF_OURS, UNREADABLE = 1, 4


class PaperRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `paper` asks for."""

    benchmark: Annotated[
        str, Option(argument=True, help="Whose paper; `list`, or nothing, lists all tables of all papers.")
    ] = ""
    runs: Annotated[
        tuple[str, ...],
        Option(
            argument=True, help="Runs that fill it; published results or data if not given; @NAME: a pool."
        ),
    ] = ()
    tables: Annotated[
        tuple[str, ...],
        Option(
            flag="--table", help='Number or name, "2" or "section 3.2"; all if not given; may be repeated.'
        ),
    ] = ()
    figures: Annotated[
        tuple[str, ...], Option(flag="--figure", help="Number of a figure; may be repeated.")
    ] = ()
    against: Annotated[
        str, Option(help="Words of the printed row that runs are held against; the headline's if not given.")
    ] = ""
    only: OnlyTasks = ()
    rules: Rules = ""
    out: Annotated[
        Path | None, Option(help="Folder to write: each table as SVG, PDF, PNG, CSV and for LaTeX.")
    ] = None
    formats: PictureFormats = "svg,pdf,png"
    as_csv: AsCsv = False
    as_latex: AsLatex = False
    seed: ResamplingSeed = 0
    force: Force = False
    data: Data = None
    store: StorePath = None


@asking(PaperRequest)
def paper_command(request: PaperRequest, as_json: AsJson = False) -> None:
    """Fill a table of a benchmark's paper: runs, published results or data beside the printed numbers.

    Exit 1 where a table has nothing of ours, with what it takes; 4 where a record could not be read.
    """
    if request.benchmark in ("", LIST):
        raise typer.Exit(_list_papers(as_json=as_json))
    raise typer.Exit(print_paper(request, as_json=as_json))


def print_paper(request: PaperRequest, *, as_json: bool) -> int:
    """Print or write the tables: 0, 1 where one has nothing of ours, 4 where a record could not be read.

    Raises `UsageError` for unknown names, for runs of another benchmark, and for several forms at once.
    """
    if as_json + request.as_csv + request.as_latex > 1:
        raise UsageError("--json, --csv and --latex can't be printed at once", "choose one")
    paper = paper_of(request.benchmark)
    names = _wanted(paper, request)
    evidence = _evidence(request, paper)
    found = [beside_printed(paper, name, evidence, against=request.against) for name in names]
    figures = [as_figure(one) for one in found]
    written = _written(request, figures)
    if as_json:
        told: JsonObject = {
            "schema_version": SCHEMA_VERSION,
            "tables": [beside_printed_json(one) for one in found],
        }
        print_json(told | {"files": [str(path) for path in written]})
    elif request.as_csv or request.as_latex:
        print_tables_for_files(figures, as_latex=request.as_latex)
    else:
        print_tables(found)
        for path in written:
            print_line(str(path))
    for problem in dict.fromkeys(evidence.problems):
        say(problem)
    return UNREADABLE if evidence.problems else NOTHING_OF_OURS if any(one.missing for one in found) else 0


def _wanted(paper: Paper, request: PaperRequest) -> list[str]:
    asked = [*request.tables, *(f"figure {one.removeprefix('figure ')}" for one in request.figures)]
    return [paper.table(name).name for name in asked] or [one.name for one in paper.tables]


def _evidence(request: PaperRequest, paper: Paper) -> Evidence:
    store = open_concealing(request.store) if request.out else open_store(request.store)
    runs: tuple[RecordedRun, ...] = ()
    if request.runs:
        runs = read_runs(store, runs_called(store, request.runs), tasks=request.only)
        fitting = ("", request.benchmark, *paper.also_of)
        of = next((run.benchmark for run in runs if run.benchmark not in fitting), "")
        if of:
            raise UsageError(f"These runs are of {of}", f"`webbench-tui paper {of}` lists what they fill")
    return Evidence(
        runs=tuple(run.under(request.rules) for run in runs) if request.rules else runs,
        data=data_folder(request.benchmark, request.data),
        store=store,
        seed=request.seed,
        problems=[problem for run in runs for problem in run.problems],
    )


def _written(request: PaperRequest, figures: list[PaperFigure]) -> list[Path]:
    if request.out is None:
        return []
    from webbench.core.report.paper.figure_files import formats_of, write_figures
    from webbench.core.report.paper.plot_style import require_matplotlib

    require_matplotlib()
    return list(write_figures(request.out, figures, formats_of(request.formats), force=request.force).files)


def print_tables_for_files(figures: Sequence[PaperFigure], *, as_latex: bool) -> None:
    """As CSV, or for LaTeX."""
    from webbench.core.report.paper.number_tables import csv_text, latex_table

    for figure in figures:
        print_line((latex_table(figure) if as_latex else csv_text(figure.table)).removesuffix("\n"))


def print_tables(found: Sequence[BesidePrinted]) -> None:
    """As people read them, each with its notes."""
    sources = dict(source for one in found for source in one.sources.items())
    if sources:
        print_table(("", "run, agent"), list(sources.items()), flexible=(1,))
    for one in found:
        table = as_table(one)
        shown = msgspec.structs.replace(table, note="", title="")
        print_section(Section(name=one.table.where, title=table.title, about=table.note, figures=(shown,)))


def _list_papers(*, as_json: bool) -> int:
    papers = [paper_of(name) for name in paper_names()]
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "tables": [
                    {"benchmark": benchmark, "table": name, "title": title, "filled_by": how}
                    for benchmark, name, title, how in _listed(papers)
                ],
            }
        )
        return 0
    for paper in papers:
        print_line()
        print_text(f"{paper.benchmark}: {paper.title}")
        rows = [(name, title, how) for _, name, title, how in _listed([paper])]
        print_table(("table", "what", "filled by"), rows, flexible=(1, 2))
    print_line()
    print_line(f"{counted(sum(len(one.tables) for one in papers), 'table')} with numbers")
    return 0


def _listed(papers: list[Paper]) -> Iterator[tuple[str, str, str, str]]:
    """Benchmark, name, title, what fills it or why nothing does."""
    for paper in papers:
        for one in paper.tables:
            filler = paper.fills.get(one.name)
            how = filler.by if filler else f"nothing: {paper.unfilled[one.name]}"
            yield paper.benchmark, one.name, one.title, how
        known = {one.name for one in paper.tables}
        for name, why in paper.unfilled.items():
            if name not in known:
                yield paper.benchmark, name, "", f"nothing: {why}"
