"""`webcanvas check`: what is to be checked, the check, its table and its report."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.benchmarks.webcanvas.upkeep.past_checks import (
    CheckHistory,
    KeptCheck,
    is_due,
    kept_checks,
    latest,
    news,
)
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.browser.starting.folder import private_room
from webbench.core.errors import BadData, UsageError, WebbenchError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, OnlyTasks, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say, wrapped
from webbench.tui.cli.place import (
    data_folder,
    find_episode,
    open_engine,
    open_store,
    report_settings,
)

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark
    from webbench.benchmarks.webcanvas.upkeep.check import Checked, CheckReport, CheckResult, Workflow

SCHEMA_VERSION = 1
TITLE = "WebCanvas: do the recorded workflows still hold?"


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webcanvas check` asks for; `file` has the tasks."""

    tasks: OnlyTasks = ()
    episodes: Annotated[
        tuple[str, ...],
        Option(flag="--episode", help="Check this recorded episode; may be repeated."),
    ] = ()
    file: Annotated[
        Path | None,
        Option(
            flag="--tasks",
            help="Task file in Mind2Web-Live's format; the bundled tasks if not given.",
        ),
    ] = None
    site_version: Annotated[int, Option(help="Version of the bundled sites to check against: 1 or 2.")] = 1
    due: Annotated[
        float,
        Option(least=0, help="Only tasks whose last check is so many days ago, or that had none."),
    ] = 0.0
    history: Annotated[
        bool,
        Option(help="Print the latest check of each task, with all of them in --json; check none."),
    ] = False
    report: Annotated[
        Path | None, Option(help="Write an HTML file with pictures of the pages then and now.")
    ] = None
    store: StorePath = None


@asking(CheckRequest)
def webcanvas_check_command(request: CheckRequest, as_json: AsJson = False) -> None:
    """Go recorded ways again on the live sites, and tell which steps and key nodes no longer hold.

    What is checked: the episodes that are named; else for each task the best complete episode of a person
    in the store, or the reference list that a bundled task comes with; and the written way of each of its
    alternatives. Each change of a site is told once, with every task and step that meets it.

    Every check is kept in the store (--history); what broke since a task's last check, and what holds again,
    is told at the end. With --due 7 a daily cron job checks each task once a week.

    Exit 0 when everything holds or nothing is due, 1 when something changed or a workflow could not be
    gone, 2 for a wrong call, 3 without a browser, 4 for a task file that can't be read.
    """
    raise typer.Exit(run_check(request, as_json=as_json))


def run_check(request: CheckRequest, *, as_json: bool) -> int:
    """Check, print, and return the exit code: 0 everything holds, 1 something doesn't.

    Raises:
        UsageError: an unknown task, episode or version, or nothing that could be checked.
        BadData: the task file can't be read.
        EnvironmentDown: no browser.
    """
    from webbench.benchmarks.webcanvas.benchmark import create

    report_settings()
    store = open_store(request.store)
    history = CheckHistory(store.root)
    entries, problems = history.entries()
    for problem in problems:
        say(problem)
    if request.history:
        return _print_history(entries, as_json=as_json)
    before = latest(entries)
    benchmark = create(request.file or data_folder("webcanvas", None))
    if request.file is not None and not any(not task.data.get("bundle") for task in benchmark.tasks()):
        raise BadData(f"{request.file} holds no task", "; ".join(p.message for p in benchmark.problems()[:1]))
    recorded, unrecorded = _chosen(request, benchmark, store)
    if request.due:
        now = datetime.now().astimezone()
        recorded = [one for one in recorded if is_due(one.task.id, before, now, request.due)]
        unrecorded = [one for one in unrecorded if is_due(one[0].id, before, now, request.due)]
        if not recorded and not unrecorded:
            say(f"nothing is due: every task was checked less than {request.due:g} days ago")
            if as_json:
                print_json({"workflows": [], "changes": [], "news": [], "schema_version": SCHEMA_VERSION})
            return 0
    result = asyncio.run(_check(request, benchmark, recorded, unrecorded))
    checks = kept_checks(result.report, datetime.now().astimezone(), request.site_version)
    told = list(news(before, checks))
    if request.report is not None:
        _write_report(request.report, result)
    if as_json:
        print_json(msgspec.to_builtins(result.report) | {"news": msgspec.to_builtins(told)})
    else:
        _print_report(result.report, request.report)
        for one in told:
            why = f": {'; '.join(one.changes)}" if one.changes else ""
            print_text(wrapped(f"{one.task}, otherwise on {one.since[:10]}{why}", f"{one.kind}: "))
    history.add(checks)  # what was found is told already, should the store not be writable
    failed = any(one.error for one in result.report.workflows)
    return 1 if result.report.changes or failed else 0


def _chosen(
    request: CheckRequest, benchmark: WebCanvasBenchmark, store: Store
) -> tuple[list[Workflow], list[tuple[Task, int]]]:
    """Recorded workflows, and reference lists that have to be recorded first.

    These are of tasks, and of their alternatives by number; 0 = the task's own.
    """
    if request.episodes:
        return [_named(name, benchmark, store) for name in request.episodes], []
    tasks = benchmark.tasks(names=with_subsets(benchmark.name, request.tasks))
    if request.file is not None and not request.tasks:
        tasks = [task for task in tasks if not task.data.get("bundle")]
    recorded: list[Workflow] = []
    unrecorded: list[tuple[Task, int]] = []
    best = _best_episodes(store)
    for task in tasks:
        if task.id in best:
            recorded.append(_workflow(task, best[task.id], store))
        elif benchmark.has_reference(task):
            unrecorded.append((task, 0))
        unrecorded += [(task, way) for way in benchmark.ways(task)]
    if not recorded and not unrecorded:
        raise UsageError(
            "There is no recorded workflow to check",
            "solve tasks by hand in the stepper first, or name an episode with --episode",
        )
    return recorded, unrecorded


def _named(name: str, benchmark: WebCanvasBenchmark, store: Store) -> Workflow:
    """The workflow of an episode, with the task as it is now where the benchmark still has it."""
    folder = find_episode(store, name)
    recorded = store.load(folder).header.task
    if recorded.benchmark != benchmark.name:
        raise UsageError(f"The episode {folder.name} is of {recorded.benchmark}, not of {benchmark.name}")
    task = next((task for task in benchmark.tasks() if task.id == recorded.id), recorded)
    return _workflow(task, folder, store)


def _workflow(task: Task, folder: Path, store: Store) -> Workflow:
    from webbench.benchmarks.webcanvas.upkeep.check import Workflow

    return Workflow(task=task, trajectory=store.load(folder), store=store, source=f"episode {folder.name}")


def _best_episodes(store: Store) -> dict[str, Path]:
    """By task, the folder of the latest episode in which a person reached every key node."""
    found: dict[str, Path] = {}
    for one in store.attempts("webcanvas"):
        if one.actor == "human" and one.status is Status.SCORED and one.value == 1:
            found[one.task] = store.root / one.run / one.episode
    return found


async def _check(
    request: CheckRequest,
    benchmark: WebCanvasBenchmark,
    recorded: Sequence[Workflow],
    unrecorded: Sequence[tuple[Task, int]],
) -> CheckResult:
    """Replays leave nothing in the user's store: they are recorded in a temporary one."""
    from webbench.benchmarks.webcanvas.upkeep.check import check, record_references

    now = benchmark.at_site_version(request.site_version)
    with private_room() as folder:
        async with open_engine(Store(folder)) as engine:
            await engine.browser()
            if unrecorded:
                say(f"recording {counted(len(unrecorded), 'reference list')} on the sites they are for")
            references = await record_references(engine, benchmark, unrecorded)
            return await check(engine, now, [*recorded, *references], _print_checked)


def _print_checked(one: Checked) -> None:
    if sys.stderr.isatty():
        say(f"{one.task}: {_state(one)}")


def _write_report(path: Path, result: CheckResult) -> None:
    from webbench.benchmarks.webcanvas.upkeep.report import report_html

    try:
        path.write_text(report_html(result, TITLE), "utf-8")
    except OSError as error:
        raise WebbenchError(f"{path} can't be written: {error.strerror or error}", "name another") from error


def _print_history(entries: Sequence[KeptCheck], *, as_json: bool) -> int:
    """0 where every task held when it was last checked, else 1; also of one that could never be."""
    last = latest(entries)
    if as_json:
        print_json({"checks": msgspec.to_builtins(entries), "schema_version": SCHEMA_VERSION})
    else:
        times = Counter(one.task for one in entries)
        rows = []
        for task, newest in {one.task: one for one in entries}.items():
            one = last.get(task, newest)
            told = list(one.changes)
            if newest.state == "not checked":
                told.append(f"not checked on {newest.at[:10]}: {newest.error}")
            rows.append((task, one.at[:16].replace("T", " "), str(times[task]), one.state, "; ".join(told)))
        print_table(
            ("task", "last check", "checks", "state", "what changed"), rows, numbers=(2,), flexible=(4,)
        )
    held = {task for task, one in last.items() if one.state == "holds"}
    return 1 if {one.task for one in entries} - held else 0


def _print_report(report: CheckReport, file: Path | None) -> None:
    rows = [
        (
            one.task,
            f"{one.steps_done}/{one.steps}",
            f"{one.key_nodes_held}/{one.key_nodes}",
            _state(one),
            one.source,
        )
        for one in report.workflows
    ]
    print_table(("task", "steps", "key nodes", "state", "recorded as"), rows, numbers=(1, 2), flexible=(3,))
    for change in report.changes:
        print_text("")
        print_text(wrapped(change.change, f"{change.kind}: "))
        for place in change.places:
            print_text(wrapped(place.told, f"  {place.task}: "))
            for node in place.nodes:
                print_text(f"    key node {node} is not reached any more")
    print_text(f"\n{counted(len(report.changes), 'change')} in {counted(len(report.workflows), 'workflow')}")
    if file is not None:
        print_text(f"pictures in {file}")


def _state(one: Checked) -> str:
    if one.error:
        return f"not checked: {one.error}"
    held = one.steps_done == one.steps and one.key_nodes_held == one.key_nodes
    return "holds" if held else "broken"
