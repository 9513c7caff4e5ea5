"""`figures`: figures of runs for a paper, as pictures, numbers and tables for LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.paper.every_figure import KINDS, SCHEMA_VERSION, paper_figures
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.called_runs import actor_called, runs_called
from webbench.core.text.plural import counted
from webbench.tui.cli.options import (
    AsJson,
    BenchmarkRuns,
    Force,
    OnlyTasks,
    PictureFormats,
    ResamplingSeed,
    StorePath,
    asking,
)
from webbench.tui.cli.output import print_json, print_line, say
from webbench.tui.cli.place import open_concealing

NOTHING_TO_DRAW, UNREADABLE = 1, 4


class FiguresRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `figures` asks for."""

    runs: BenchmarkRuns
    out: Annotated[Path, Option(help="Folder to write.")]
    kinds: Annotated[
        tuple[str, ...],
        Option(flag="--kind", help=f"This figure alone; may be repeated: {', '.join(KINDS)}."),
    ] = ()
    reference: Annotated[
        str, Option(help="Run whose way the others are held against; a person's if not given.")
    ] = ""
    tasks: OnlyTasks = ()
    formats: PictureFormats = "svg,pdf,png"
    seed: ResamplingSeed = 0
    force: Force = False
    store: StorePath = None


@asking(FiguresRequest)
def figures_command(request: FiguresRequest, as_json: AsJson = False) -> None:
    """Write figures of runs for a paper: SVG, PDF, PNG, each with its numbers as CSV and a table for LaTeX.

    Exit 1 where a figure has nothing to show, and it is told why; 4 where part of a record could not be read.
    """
    raise typer.Exit(figures(request, as_json=as_json))


def figures(request: FiguresRequest, *, as_json: bool) -> int:
    """Write the figures: 0, 1 where one has nothing to show, 4 where a record could not be read.

    Raises `UsageError` for unknown runs, kinds and formats, without matplotlib, and for a folder that is
    there already.
    """
    from webbench.core.report.paper.figure_files import formats_of, write_figures
    from webbench.core.report.paper.plot_style import require_matplotlib

    require_matplotlib()
    formats = formats_of(request.formats)
    if not request.runs:
        raise UsageError("There is no run to draw", "name one or more; `webbench-tui runs` lists them")
    store = open_concealing(request.store)
    runs = runs_called(store, request.runs)
    found = paper_figures(
        store,
        runs,
        request.kinds,
        reference=actor_called(store, request.reference),
        tasks=request.tasks,
        seed=request.seed,
    )
    written = write_figures(request.out, found.figures, formats, force=request.force)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "folder": str(request.out),
                "files": [path.name for path in written.files],
                "figures": [
                    {
                        "name": one.name,
                        "title": one.title,
                        "caption": one.whole_caption,
                        "left_out": one.left_out,
                        "empty": one.empty,
                        "undrawn": one.undrawn,
                    }
                    for one in written.figures
                ],
                "problems": list(found.problems),
            }
        )
    else:
        print_line(f"{request.out}: {counted(len(written.files), 'file')}")
        for one in written.figures:
            print_line(f"{one.name}: {one.empty or one.whole_caption}")
    for problem in found.problems:
        say(problem)
    empty = any(one.plot is None for one in found.figures)
    return UNREADABLE if found.problems else NOTHING_TO_DRAW if empty else 0
