"""`run`: a plan, its progress, its table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine, make_agent
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.models.choosing import NoKey
from webbench.core.plural import counted
from webbench.core.runner.batch import Runner, Work
from webbench.core.runner.local_player import LocalPlayer
from webbench.core.runner.plan import RunPlan, Selection, read_plan, selected
from webbench.core.runner.planned_settings import measured_settings, take_effect
from webbench.core.runner.planning import BatchRequest, new_run
from webbench.core.runner.player import INTERRUPTED, Player
from webbench.core.runner.report import BatchReport
from webbench.core.runner.sharing import pull
from webbench.core.store.names import checked
from webbench.core.store.redaction import MARKER
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task
from webbench.tui.headless.ending import ending_in_order
from webbench.tui.headless.output import print_json, say
from webbench.tui.headless.place import (
    agent_spec,
    chosen_dialect,
    episode_options,
    open_store,
    report_settings,
    resets_first,
    told_command,
    viewport,
)
from webbench.tui.headless.playing import place_to_play
from webbench.tui.headless.progress import Progress
from webbench.tui.headless.run_request import ResumeRequest, RunRequest
from webbench.tui.headless.run_text import print_report

EXIT_INTERRUPTED, EXIT_HALTED = 130, EnvironmentDown.exit_code


def run_tasks(request: RunRequest, *, as_json: bool) -> int:
    """Run, print, and return the exit code: see `exit_code`.

    Raises:
        UsageError: an unknown name, or nothing to run.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    batch = plan(request, store)

    async def work() -> BatchReport:
        place = place_to_play(store, batch.benchmark, request.where, workers=request.workers, size=viewport())
        async with place as begin:
            run = new_run(store, batch)
            player = await begin(run)
            now = msgspec.structs.replace(request.work, agent=batch.agent)
            progress = Progress(announced=None if as_json else store)
            return await work_at(store, run, batch.benchmark, batch.tasks, player, now, progress)

    return _finish(asyncio.run(work()), store, as_json=as_json)


def resume_run(request: ResumeRequest, *, as_json: bool) -> int:
    """Go on with a run where it stopped, print, and return the exit code: see `exit_code`.

    Raises:
        UsageError: no such run, or one without a plan, or of another benchmark.
        BadData: the benchmark's data is missing, or is not what the run was planned on.
        EnvironmentDown: another runner works at it, no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    if request.where.share:
        pull(store, SharedStore(request.where.share), (request.run,))
    planned = _plan_to_resume(request, store)
    take_effect(planned.settings)
    benchmark = ready_benchmark(planned.benchmark, request.data)
    tasks = selected(planned, benchmark)
    chosen = resumed_work(request, planned)

    async def work() -> BatchReport:
        size = planned.viewport
        place = place_to_play(store, benchmark, request.where, workers=chosen.workers, size=size)
        async with place as begin:
            player = await begin(request.run)
            progress = Progress(announced=None if as_json else store)
            return await work_at(store, request.run, benchmark, tasks, player, chosen, progress)

    return _finish(asyncio.run(work()), store, as_json=as_json)


def resumed_work(request: ResumeRequest, planned: RunPlan) -> Work:
    """As it was planned, but for what is asked for now."""
    return Work(
        workers=request.workers or planned.workers,
        retry=request.retry,
        cost_limit=planned.cost_limit if request.run_cost is None else request.run_cost,
    )


def _plan_to_resume(request: ResumeRequest, store: Store) -> RunPlan:
    folder = store.root / checked(request.run, "run")
    if not folder.is_dir():
        raise UsageError(f"there is no run {request.run} in {store.root}", "`webbench-tui runs` lists them")
    found = read_plan(folder)
    if request.benchmark not in ("", found.benchmark):
        raise UsageError(f"the run {request.run} is of {found.benchmark}, not of {request.benchmark}")
    if MARKER in found.agent:
        raise UsageError(
            f"the agent of the run {request.run} was called with a secret, which is not recorded",
            "give agents their keys in files or in the environment; begin a new run",
        )
    return found


def _finish(report: BatchReport, store: Store, *, as_json: bool) -> int:
    if as_json:
        print_json(report)
    else:
        print_report(report)
    if report.state != "finished":
        left = f"{counted(report.left, 'episode')} of {report.planned} left"
        say(f"{report.state}: {left if report.reason == INTERRUPTED else f'{report.reason}; {left}'}")
        more = ["--limit-run-cost", "MORE"] if report.state == "limited" else []
        say(f"  `{told_command(['run', '--resume', report.run, *more], store)}` goes on")
    return exit_code(report)


def exit_code(report: BatchReport) -> int:
    """0 all scored · 1 something was not, or was left · 3 it could not go on · 130 interrupted."""
    if report.state == "interrupted":
        return EXIT_INTERRUPTED
    if report.state == "halted":
        return EXIT_HALTED
    return 0 if report.scored == report.planned else 1


def ready_benchmark(name: str, data: Path | None) -> Benchmark:
    """The benchmark with its data.

    Raises:
        UsageError: no benchmark of this name.
        BadData: its data is missing; says how to get it.
    """
    benchmark = catalogue.benchmark(name, str(data or ""))
    status = benchmark.status()
    if status.state != "ready":
        raise BadData(f"{name} {status.state}", status.detail)
    return benchmark


def plan(request: RunRequest, store: Store) -> BatchRequest:
    """Everything is looked up before a run begins, so that a misspelt name leaves no empty run."""
    benchmark = ready_benchmark(request.benchmark, request.data)
    options = episode_options(
        benchmark,
        rules=request.rules,
        live_score=False,
        pictures=request.pictures,
        relevant_html=request.relevant_html,
        budget=request.budget,
    )
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    tasks = benchmark.tasks(request.split, request.tasks, request.instances)
    if not tasks:
        raise UsageError("There is nothing to run", "no task has an instance that was asked for")
    agent = agent_spec(request.agent, store)
    _require_agent(agent, benchmark, tasks[0], request)
    return BatchRequest(
        benchmark=benchmark,
        tasks=tasks,
        agent=agent,
        workers=request.workers,
        cost_limit=request.run_cost,
        repeats=request.repeats,
        order=request.order,
        seed=request.seed,
        dialect=dialect,
        options=options,
        hang_seconds=request.hang_seconds,
        retry=request.retry,
        reset=resets_first(request.reset),
        site_safety=request.site_safety,
        selection=Selection(split=request.split, names=request.tasks, instances=request.instances),
        viewport=viewport(),
        settings=measured_settings(),
    )


def _require_agent(agent: str, benchmark: Benchmark, task: Task, request: RunRequest) -> None:
    """Raises `UsageError` for one that can't be used. The nodes of a cluster may have keys of their own."""
    try:
        make_agent(agent, benchmark, task, request.seed)
    except NoKey:
        if request.where.engine == "local":
            raise


async def play(engine: Engine, batch: BatchRequest, work: Work) -> BatchReport:
    """Begin a run in a started engine, and work at it."""
    run = new_run(engine.store, batch)
    player = LocalPlayer(engine, batch.benchmark)
    return await work_at(engine.store, run, batch.benchmark, batch.tasks, player, work, Progress())


async def work_at(
    store: Store,
    run: str,
    benchmark: Benchmark,
    tasks: Sequence[Task],
    player: Player,
    work: Work,
    progress: Progress,
) -> BatchReport:
    """Work at a run until it is done or interrupted, and show how far it is."""
    runner = Runner(store, run, benchmark, tasks, player, work, progress.notices)

    def leave() -> None:
        progress.tell("ending the episodes that are going on; Ctrl+C again leaves at once")
        runner.interrupt()

    with ending_in_order(leave):
        async with progress.shown():
            return await runner.run()
