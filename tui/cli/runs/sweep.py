"""`sweep`: one benchmark played by every agent of a grid, as TurkingBench's table 4 compares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
import typer

from webbench.core.agents.agent_spec import variants
from webbench.core.analysis.option_grid import OPTIONS
from webbench.core.analysis.runs.whole_run import analyse
from webbench.core.api.batch_run import planned_batch
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.runner.plan.new_run import BatchRequest, plan_of
from webbench.core.runner.plan.plan import read_plan
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest
from webbench.core.runner.status.results import BatchReport
from webbench.core.runner.status.run_status import run_status
from webbench.core.store.run_notes import RunNotes, change_notes, tag_name
from webbench.core.store.store import Store
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import AsJson, asking
from webbench.tui.cli.output import print_json, print_table, say
from webbench.tui.cli.place import guarded, open_store, report_settings
from webbench.tui.cli.runs.run import begin_run, exit_code, go_on_with, require_browser

SCHEMA_VERSION = 1
Doing = Literal["begin", "go on", "finished"]


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """An agent of the grid, and its run where there is one: how many episodes are planned, and scored."""

    agent: str
    batch: BatchRequest
    doing: Doing = "begin"
    run: str = ""
    planned: int = 0
    scored: int = 0

    @property
    def told(self) -> JsonObject:
        return {name: getattr(self, name) for name in ("agent", "doing", "run", "planned", "scored")}


@choosing_browser
@asking(RunRequest, name="split", dry_run="store")
def sweep_command(
    request: RunRequest,
    name: Annotated[
        str, typer.Option("--name", help="Of the sweep, one word: a tag on its runs, by which it goes on.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say which agents would be played, and begin nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play a benchmark with every agent of a grid, one run each, and compare them option by option.

    Values in braces make the grid: 'turkingbench demonstrations={0,1,3,7} html={full,relevant}' is eight
    agents; an empty value leaves the word out. The runs carry the sweep's --name as a tag: given again, the
    same command goes on with what isn't finished, and plays only what is new. At the end, and at any time by
    `stats` with the runs and --section options, stand the grid, each option's values where all else is alike,
    and how much the models had to read.

    Exit 0 when every episode was scored, 1 when some were not, 3 when it could not go on, 130 when it was
    interrupted.
    """
    if not request.benchmark:
        raise UsageError("Which benchmark is to be run?", "`webbench-tui tasks` lists them")
    if not name:
        raise UsageError("What is the sweep to be called?", "give --name WORD: its runs are found by it")
    with guarded(request.guard, request.allow_hosts):
        raise typer.Exit(sweep(request, tag_name(name), dry_run=dry_run, as_json=as_json))


def sweep(request: RunRequest, tag: str, *, dry_run: bool, as_json: bool) -> int:
    """Play what is left of the grid, print its comparison, and return the exit code.

    Every agent is looked up before the first run begins. Raises as `run_tasks`, and `UsageError` where a run
    of this sweep is being played, or is of other tasks.
    """
    report_settings()
    store = open_store(request.store)
    grid = grid_of(request, tag, store)
    require_browser(grid[0].batch.benchmark, request)
    if dry_run:
        _print_grid(grid, as_json=as_json)
        return 0
    reports: list[BatchReport] = []
    for number, one in enumerate(grid, 1):
        say(f"{number} of {len(grid)}: {one.agent} ({one.doing})")
        report = _played(one, request, tag, store, quiet=as_json)
        reports += [report] if report is not None else []
        if report is not None and report.state in ("interrupted", "halted"):
            break
    _print_found(store, grid_of(request, tag, store), reports, as_json=as_json)
    now = grid_of(request, tag, store)
    codes = [exit_code(report) for report in reports]
    return max([*codes, 0 if all(one.scored == one.planned for one in now) else 1])


def grid_of(request: RunRequest, tag: str, store: Store) -> list[Variant]:
    """The agents of the grid in order, each with its run of this sweep. Raises as `sweep`."""
    known = {
        run.agent: run.run for run in store.runs() if tag in run.tags and run.benchmark == request.benchmark
    }
    return [_variant(one, request, known, store) for one in variants(request.agent)]


def _variant(agent: str, request: RunRequest, known: dict[str, str], store: Store) -> Variant:
    batch = planned_batch(msgspec.structs.replace(request, agent=agent), store)
    planned = plan_of(batch)
    run = known.get(store.redacted(batch.agent), "")
    if not run:
        return Variant(agent=agent, batch=batch, planned=len(planned.episodes))
    if read_plan(store.root / run).episodes != planned.episodes:
        hint = "give the sweep another --name, or the same tasks, --repeat, --order and --seed as before"
        raise UsageError(f"the run {run} of this sweep is of other episodes", hint)
    status = run_status(store.root, run)
    if status.state == "running":
        hint = f"`webbench-tui stop {run}` ends it; then give the command again"
        raise UsageError(f"the run {run} of this sweep is being played", hint)
    doing: Doing = "go on" if status.done < status.planned else "finished"
    return Variant(
        agent=agent, batch=batch, doing=doing, run=run, planned=status.planned, scored=status.scored
    )


def _played(one: Variant, request: RunRequest, tag: str, store: Store, *, quiet: bool) -> BatchReport | None:
    """The report of what was played now; None where nothing was left."""
    if one.doing == "finished":
        return None
    if one.doing == "go on":
        resuming = ResumeRequest(run=one.run, workers=request.workers, store=request.store, data=request.data)
        return go_on_with(resuming, store, quiet=quiet)

    def begun(run: str) -> None:
        change_notes(store.root, run, lambda notes: tagged(notes, tag), store.redaction)

    return begin_run(msgspec.structs.replace(request, agent=one.agent), store, quiet=quiet, begun=begun)


def tagged(notes: RunNotes, tag: str) -> RunNotes:
    return msgspec.structs.replace(notes, tags=(*notes.tags, tag))


def _print_grid(grid: Sequence[Variant], *, as_json: bool) -> None:
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "grid": [one.told for one in grid]})
        return
    rows = [(one.agent, one.doing, one.run, one.planned, one.scored) for one in grid]
    print_table(("agent", "", "run", "episodes", "scored"), rows, numbers=(3, 4), flexible=(0, 2))


def _print_found(
    store: Store, grid: Sequence[Variant], reports: Sequence[BatchReport], *, as_json: bool
) -> None:
    """What every agent came to, and the comparison of those that were begun."""
    runs = [one.run for one in grid if one.run]
    found = analyse(store, runs).analysis if len(runs) > 1 else None
    section = (
        next((one for one in found.sections if one.name == OPTIONS), None) if found is not None else None
    )
    if as_json:
        told = {"grid": [one.told for one in grid], "reports": reports, "section": section}
        print_json({"schema_version": SCHEMA_VERSION, **told})
        return
    _print_grid(grid, as_json=False)
    if found is not None and section is not None:
        print_table(("", "run"), [(actor.letter, actor.run) for actor in found.actors], flexible=(1,))
        print_section(section)
        for problem in found.problems:
            say(problem)
