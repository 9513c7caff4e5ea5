"""`report`: an episode, a comparison or runs as one self-contained page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from markupsafe import Markup

from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import Json
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.called_runs import actor_called, runs_called, runs_meant
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Force, Pictures, StorePath, asking
from webbench.tui.cli.output import print_json, print_line, say
from webbench.tui.cli.place import find_episode, open_concealing

SCHEMA_VERSION = 1
UNREADABLE = 4


class ReportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `report` asks for: runs, or one episode, or several episodes of a task."""

    names: Annotated[
        tuple[str, ...],
        Option(
            argument=True,
            help="An episode, several episodes of one task, or runs; unique prefixes will do. @NAME: a pool.",
        ),
    ]
    html: Annotated[Path | None, Option(help="File to write.")] = None
    appendix: Annotated[
        Path | None, Option(help="For runs: a folder with methods, tables and figures for a paper.")
    ] = None
    reference: Annotated[
        str,
        Option(help="With --appendix: run whose way the others are held against; a person's if not given."),
    ] = ""
    pictures: Pictures = True
    small_pictures: Annotated[bool, Option(help="Screenshots at most 800 pixels wide, with losses.")] = False
    seed: Annotated[int, Option(help="Seed of resampling, for runs.")] = 0
    figures: Annotated[Path | None, Option(help="For runs: a folder for the drawings as SVG and PNG.")] = None
    force: Force = False
    store: StorePath = None


@asking(ReportRequest)
def report_command(request: ReportRequest, as_json: AsJson = False) -> None:
    """Write one self-contained HTML page: an episode to scrub through, attempts side by side, or runs.

    It opens from disk without network. With --appendix: methods, tables and figures of runs for a paper, in
    one folder with an index. Exit 0, or 4 when part of a record could not be read: what is written tells
    which.
    """
    raise typer.Exit(report(request, as_json=as_json))


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """A page, what of the records could not be read for it, and its drawings by name."""

    kind: str
    page: str
    unread: Sequence[str] = ()
    drawn: Mapping[str, Markup] = {}


def report(request: ReportRequest, *, as_json: bool) -> int:
    """Write the page and the appendix: 0, or 4 where part of a record could not be read.

    Raises:
        UsageError: neither is asked for, no such run or episode, both kinds at once, episodes of different
            tasks, or a file that is there already.
        BadData: an episode that can't be read at all.
        EnvironmentDown: the page can't be written.
    """
    if request.html is None and request.appendix is None:
        raise UsageError("There is nothing to write", "give --html FILE, or for runs --appendix FOLDER")
    opened = open_concealing(request.store)
    written: dict[str, Json] = {"schema_version": SCHEMA_VERSION}
    unread: dict[str, None] = {}
    if request.html is not None:
        written |= _page(opened, request, request.html, unread, as_json=as_json)
    if request.appendix is not None:
        written["appendix"] = _appendix(opened, request, request.appendix, unread, as_json=as_json)
    if as_json:
        print_json({**written, "unread": list(unread)})
    for problem in unread if not as_json else ():
        say(problem)
    return UNREADABLE if unread else 0


def _page(
    store: Store, request: ReportRequest, html: Path, unread: dict[str, None], *, as_json: bool
) -> dict[str, Json]:
    from webbench.core.exchange.atomic_output import write_text

    made = _made(store, request)
    write_text(html, made.page, force=request.force)
    figures = _figure_files(made.drawn, request.figures, force=request.force) if request.figures else []
    unread |= dict.fromkeys(made.unread)
    size = html.expanduser().stat().st_size
    if not as_json:
        print_line(f"{html}: a report of {made.kind}, {size / 1e6:.1f} MB; open it in any browser")
        if figures:
            print_line(f"{request.figures}: {counted(len(figures), 'file')}")
    return {"file": str(html), "kind": made.kind, "bytes": size, "figures": figures}


def _appendix(
    store: Store, request: ReportRequest, folder: Path, unread: dict[str, None], *, as_json: bool
) -> Json:
    """The names of its files."""
    from webbench.core.report.paper.appendix import write_appendix

    runs = runs_called(store, request.names)
    reference = actor_called(store, request.reference)
    problems = write_appendix(
        store, runs, folder, reference=reference, seed=request.seed, force=request.force
    )
    unread |= dict.fromkeys(problems)
    within = folder.expanduser()
    files = sorted(str(path.relative_to(within)) for path in within.rglob("*") if path.is_file())
    if not as_json:
        print_line(
            f"{folder}: {counted(len(files), 'file')}; index.md lists them, appendix.tex reads them in"
        )
    return files


def _made(store: Store, request: ReportRequest) -> Reported:
    names = [name.rstrip("/") for name in request.names]
    meant = {name: runs_meant(store, name) for name in names}
    if runs := [name for name in names if meant[name]]:
        if other := next((name for name in names if not meant[name]), ""):
            told = f"{runs[0]} is a run, {other} is none"
            raise UsageError(told, "report runs, or episodes, not both at once")
        return _of_runs(store, runs_called(store, runs), request)
    if request.figures is not None:
        raise UsageError("Only reports of runs have drawings", "leave --figures out")
    return _of_episodes(store, names, request)


def _of_runs(store: Store, runs: Sequence[str], request: ReportRequest) -> Reported:
    """The whole analysis of one or more runs."""
    from webbench.core.analysis.runs.whole_run import analyse
    from webbench.core.report.pages.runs_page import analysis_page, drawings

    analysis = analyse(store, runs, seed=request.seed).analysis
    return Reported(
        kind="a run" if len(runs) == 1 else f"{len(runs)} runs",
        page=analysis_page(analysis),
        unread=analysis.problems,
        drawn=drawings(analysis.sections),
    )


def _figure_files(drawn: Mapping[str, Markup], folder: Path, *, force: bool) -> list[str]:
    """The drawings as files; without a browser as SVG alone, which is told."""
    from webbench.core.report.figures.drawing_files import paint, write_drawings

    try:
        painted = asyncio.run(paint(drawn))
    except EnvironmentDown as error:
        say(f"no PNG, SVG alone: {error}")
        painted = {}
    return [str(path) for path in write_drawings(folder, drawn, painted, force=force)]


def _of_episodes(store: Store, names: Sequence[str], request: ReportRequest) -> Reported:
    """One episode, or several side by side."""
    trajectories = [store.load(find_episode(store, name)) for name in names]
    if len(trajectories) > 1:
        from webbench.core.report.pages.comparison_page import comparison_page

        page, unread = comparison_page(
            store, trajectories, pictures=request.pictures, small=request.small_pictures
        )
        return Reported(kind="a comparison", page=page, unread=unread)
    from webbench.core.report.pages.episode_page import episode_page

    page, unread = episode_page(
        store, trajectories[0], pictures=request.pictures, small=request.small_pictures
    )
    return Reported(kind="an episode", page=page, unread=unread)
