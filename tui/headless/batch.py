"""`run`: a batch, its progress, its table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine, make_agent
from webbench.core.errors import BadData, UsageError
from webbench.core.plural import counted
from webbench.core.runner.batch import BatchReport, BatchRequest, EpisodeResult, run_batch
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task, needs_browser
from webbench.tui.headless.output import print_json, print_table, print_text, say
from webbench.tui.headless.place import (
    agent_spec,
    chosen_dialect,
    episode_options,
    open_engine,
    open_store,
    report_settings,
    resets_first,
)
from webbench.tui.headless.progress import Progress
from webbench.tui.headless.report_text import print_figures


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `run`."""

    benchmark: str
    agent: str
    split: str = ""
    tasks: tuple[str, ...] = ()
    instances: int | None = None
    workers: int = 1
    seed: int = 0
    pictures: bool = True
    relevant_html: bool | None = None
    reset: bool | None = None
    dialect: str = ""
    rules: str = ""
    data: Path | None = None
    store: Path | None = None


def run_tasks(request: RunRequest, *, as_json: bool) -> int:
    """Run, print, and return the exit code: 0 all scored, 1 something was not.

    Raises:
        UsageError: an unknown name, or nothing to run.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    batch = plan(request, store)
    report = asyncio.run(_run(batch, store))
    if as_json:
        print_json(report)
    else:
        print_report(report)
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
    )
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    tasks = benchmark.tasks(request.split, request.tasks, request.instances)
    if not tasks:
        raise UsageError("There is nothing to run", "no task has an instance that was asked for")
    agent = agent_spec(request.agent, store)
    make_agent(agent, benchmark, tasks[0], request.seed)
    return BatchRequest(
        benchmark=benchmark,
        tasks=tasks,
        agent=agent,
        workers=request.workers,
        seed=request.seed,
        dialect=dialect,
        options=options,
        reset=resets_first(request.reset),
    )


async def _run(batch: BatchRequest, store: Store) -> BatchReport:
    async with open_engine(store) as engine:
        if needs_browser(batch.benchmark):
            await engine.browser()
        return await play(engine, batch)


async def play(engine: Engine, batch: BatchRequest) -> BatchReport:
    """Run a batch in a started engine, and show how far it is."""
    progress = Progress(len(batch.tasks))
    try:
        return await run_batch(engine, batch, progress.add, progress.begin, progress.tell)
    except asyncio.CancelledError:
        progress.clear()
        planned = counted(progress.planned, "episode")
        say(f"interrupted: {progress.done} of {planned} recorded in {progress.run}")
        raise
    finally:
        progress.clear()


def print_report(report: BatchReport) -> None:
    beside = list(dict.fromkeys(rules for result in report.episodes for rules in result.beside))
    headers = ("task", "status", "score", *beside, "steps", "seconds", "reason")
    rows = [_row(result, beside) for result in report.episodes]
    numbers = range(2, len(headers) - 1)
    print_table(headers, rows, numbers=numbers, flexible=(len(headers) - 1,))
    mean = "not defined" if report.mean_score is None else f"{report.mean_score:.3f}"
    print_text(
        f"\n{report.agent} on {report.benchmark}: mean {mean} over {report.scored} scored "
        f"of {report.planned} planned, rules {report.rules}, {report.seconds:.1f} s"
    )
    for rules in beside:
        print_text(f"  rules {rules}: mean {_mean([result.beside.get(rules) for result in report.episodes])}")
    if report.figures:
        print_figures(report.figures)
    for reason, count in report.not_scored.items():
        print_text(f"  not scored {count}x: {reason}")
    print_text(f"  run {report.run}")


def _row(result: EpisodeResult, beside: Sequence[str]) -> tuple[object, ...]:
    return (
        task_id(result.task, result.instance),
        result.status.replace("_", " "),
        _figure(result.score),
        *(_figure(result.beside.get(rules)) for rules in beside),
        result.steps,
        f"{result.seconds:.1f}",
        result.reason,
    )


def task_id(name: str, instance: int | None) -> str:
    """As `--task` and `step` take it."""
    return Task(benchmark="", name=name, instance=instance).id


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f} over {len(known)}" if known else "not defined"
