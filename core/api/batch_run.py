"""A batch run: many tasks played by one agent, by a plan that can be resumed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Unpack

import msgspec

from webbench.core.api.available import ready_benchmark
from webbench.core.api.defaults import (
    chosen_dialect,
    episode_options,
    guarded,
    open_engine,
    resets_first,
    viewport,
)
from webbench.core.api.event_loop import wait_for
from webbench.core.api.naming import agent_spec, several
from webbench.core.api.store_tables import Store, core_store
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine.engine import make_agent
from webbench.core.episode.limits import Budget
from webbench.core.errors import UsageError
from webbench.core.models.endpoint_choice import NoKey
from webbench.core.observation import Viewport
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.declared_options import taking
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.plan.plan import RunPlan, Selection, read_plan, selected
from webbench.core.runner.plan.planned_settings import in_effect, measured_settings
from webbench.core.runner.plan.run_request import ResumeOptions, ResumeRequest, RunOptions, RunRequest
from webbench.core.runner.status.results import BatchReport, EpisodeResult
from webbench.core.store.called_runs import run_called
from webbench.core.store.records.names import checked
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.store.store import Store as RecordStore
from webbench.core.task import Task


@taking(RunRequest, RunOptions)
def run(
    benchmark: str,
    agent: str = "oracle",
    *,
    names: Sequence[str] = (),
    limits: Budget = Budget(),
    cost_limit: float = 0.0,
    store: Store | Path | str | None = None,
    data: Path | str | None = None,
    ended: Callable[[EpisodeResult], None] | None = None,
    **options: Unpack[RunOptions],
) -> BatchReport:
    """Play many tasks with one agent, and wait until all are done; the plan and every result are on disk.

    An interruption (Ctrl+C, or a notebook's stop button) ends the episodes that are going on, and is raised
    again; `resume` goes on where it stopped. `webbench-tui status RUN --watch` shows a run elsewhere.

    Args:
        agent: a spec as on the command line: "oracle", "random steps=20", "model gpt-x".
        names: which tasks (see `tasks`). One text counts as one name; so it is with every list.
        limits, data: see `open`.
        cost_limit: US dollars of the whole run after which no further episode is begun; 0: none.
        store: where it is recorded; None: the configured one.
        ended: called with the result of each episode as it comes.

    Returns the results, `mean_score` over the scored ones, and the benchmark's own figures. `run` of it is
    the name to find the episodes by: `Store().episodes(f"run:{report.run}")`.

    Raises:
        UsageError: an unknown name, or nothing to run.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or a store that can't be written.

    Example:
        >>> import webbench as wb
        >>> report = wb.run("demo", "oracle", names=["camp-mugs", "order-total"], workers=2)
        >>> report.mean_score, report.not_scored
        (1.0, {})
    """
    records = core_store(store)
    if "allow_hosts" in options:
        options["allow_hosts"] = several(options["allow_hosts"])
    request = RunRequest(
        benchmark=benchmark,
        agent=agent,
        tasks=several(names),
        limit_steps=limits.steps,
        limit_seconds=limits.seconds,
        limit_tokens=limits.tokens,
        limit_cost=limits.cost,
        run_cost=cost_limit,
        data=_folder(data),
        **options,
    )
    with guarded(request.guard, request.allow_hosts):
        batch = planned_batch(request, records)
        work = Work(workers=request.workers, cost_limit=cost_limit, agent=batch.agent)
        return wait_for(
            _work_at(records, batch.benchmark, batch.tasks, work, ended, lambda: new_run(records, batch))
        )


@taking(ResumeRequest, ResumeOptions)
def resume(
    run: str,
    *,
    cost_limit: float | None = None,
    store: Store | Path | str | None = None,
    data: Path | str | None = None,
    ended: Callable[[EpisodeResult], None] | None = None,
    **options: Unpack[ResumeOptions],
) -> BatchReport:
    """Go on with a run where it stopped, by its own plan.

    Args:
        run: its name.
        cost_limit: None, as for `workers`: as planned.
        store, data, ended: see `run`.

    Raises:
        UsageError: no such run, or one without a plan.
        BadData: the data is missing, or is not what the run was planned on.
        EnvironmentDown: another runner works at it, no browser, or a store that can't be written.

    Example:
        >>> import webbench as wb
        >>> wb.resume("2026-11-21_22-14-05_demo_oracle_ab12").left
        0
    """
    records = core_store(store)
    request = as_called(ResumeRequest(run=run, run_cost=cost_limit, data=_folder(data), **options), records)
    run = request.run
    planned = plan_to_resume(request, records)
    with in_effect(planned.settings):
        found = ready_benchmark(planned.benchmark, request.data)
        tasks, work = selected(planned, found), resumed_work(request, planned)
        return wait_for(_work_at(records, found, tasks, work, ended, lambda: run, size=planned.viewport))


def planned_batch(request: RunRequest, store: RecordStore) -> BatchRequest:
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
    find_dialect(dialect or benchmark.dialect)
    names = with_subsets(benchmark.name, request.tasks)
    tasks = benchmark.tasks(request.split, names, request.instances)
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
        selection=Selection(split=request.split, names=names, instances=request.instances),
        viewport=viewport(),
        settings=measured_settings(),
    )


def _require_agent(agent: str, benchmark: Benchmark, task: Task, request: RunRequest) -> None:
    """Raises `UsageError` for one that can't be used. The nodes of a cluster may have keys of their own."""
    try:
        make_agent(agent, benchmark, task, request.seed)
    except NoKey:
        if request.engine == "local":
            raise


def as_called(request: ResumeRequest, store: RecordStore) -> ResumeRequest:
    """The same with the run's own name; as it is where none here is called so: it may come from elsewhere."""
    with contextlib.suppress(UsageError):
        return msgspec.structs.replace(request, run=run_called(store, request.run))
    return request


def plan_to_resume(request: ResumeRequest, store: RecordStore) -> RunPlan:
    """The plan of a run that can be gone on with.

    Raises `UsageError` for no such run, one of another benchmark, and one whose agent isn't recorded whole.
    """
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


def resumed_work(request: ResumeRequest, planned: RunPlan) -> Work:
    """As it was planned, but for what is asked for now."""
    return Work(
        workers=request.workers or planned.workers,
        retry=request.retry,
        cost_limit=planned.cost_limit if request.run_cost is None else request.run_cost,
    )


def _folder(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


async def _work_at(
    store: RecordStore,
    benchmark: Benchmark,
    tasks: Sequence[Task],
    work: Work,
    ended: Callable[[EpisodeResult], None] | None,
    begin: Callable[[], str],
    size: Viewport | None = None,
) -> BatchReport:
    """Work at a run until it is done. An interruption lets go of it in order first."""
    async with open_engine(store, size=size) as engine:
        if needs_browser(benchmark):
            await engine.browser()
        name = begin()
        player = LocalPlayer(engine, benchmark)
        notices = Notices(ended=ended) if ended else Notices()
        runner = Runner(store, name, benchmark, tasks, player, work, notices)
        working = asyncio.ensure_future(runner.run())
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            runner.interrupt()
            await working
            raise
