"""`run` and `demo` without a terminal: a batch, its progress, its table."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec

from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.episode import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.runner.batch import BatchReport, BatchRequest, EpisodeResult, run_batch
from webbench.tui.headless.output import print_json, table
from webbench.tui.headless.place import browser_options, open_store


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
    dialect: str = ""
    rules: str = "published"
    data: Path | None = None
    store: Path | None = None


def run_demo(*, store: Path | None, as_json: bool) -> int:
    """The demo played by the oracle."""
    return run_tasks(RunRequest(benchmark="demo", agent="oracle", workers=2, store=store), as_json=as_json)


def run_tasks(request: RunRequest, *, as_json: bool) -> int:
    """Run, print, and return the exit code: 0 all scored, 1 something was not."""
    report = asyncio.run(_run(request))
    if as_json:
        print_json(report)
    else:
        _print_report(report)
    return 0 if report.scored == report.planned else 1


async def _run(request: RunRequest) -> BatchReport:
    benchmark = catalogue.benchmark(request.benchmark, str(request.data or ""))
    if request.rules not in benchmark.rule_sets:
        known = ", ".join(benchmark.rule_sets)
        raise UsageError(f"{benchmark.name} has no rule set {request.rules!r}", f"it has {known}")
    status = benchmark.status()
    if status.state != "ready":
        raise UsageError(f"{benchmark.name} {status.state}", status.detail)
    tasks = benchmark.tasks(request.split, request.tasks, request.instances)
    batch = BatchRequest(
        benchmark=benchmark,
        tasks=tasks,
        agent=request.agent,
        workers=request.workers,
        seed=request.seed,
        dialect=request.dialect,
        options=EpisodeOptions(
            rules=request.rules,
            live_score=False,
            pictures=request.pictures,
            step_limit=benchmark.step_limit,
        ),
    )
    progress = _Progress(len(tasks))
    async with Engine(open_store(request.store), browser_options()) as engine:
        report = await run_batch(engine, batch, progress.show)
    progress.clear()
    return report


class _Progress:
    """One line on stderr that is written over; nothing when stderr is no terminal."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.done = 0
        self.total = 0.0
        self.scored = 0

    def show(self, result: EpisodeResult) -> None:
        self.done += 1
        if result.score is not None:
            self.scored += 1
            self.total += result.score
        if not sys.stderr.isatty():
            return
        width = 24
        full = width * self.done // max(1, self.planned)
        mean = f"{self.total / self.scored:.3f}" if self.scored else "–"
        bar = "█" * full + "░" * (width - full)
        sys.stderr.write(f"\r{bar} {self.done}/{self.planned}  mean {mean}  ")
        sys.stderr.flush()

    def clear(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def _print_report(report: BatchReport) -> None:
    rows = [
        (
            result.task if result.instance is None else f"{result.task} #{result.instance}",
            result.status.replace("_", " "),
            "–" if result.score is None else f"{result.score:.3f}",
            result.steps,
            f"{result.seconds:.1f}",
            result.reason,
        )
        for result in report.episodes
    ]
    print(table(("task", "status", "score", "steps", "seconds", "reason"), rows, numbers=(2, 3, 4)))
    mean = "not defined" if report.mean_score is None else f"{report.mean_score:.3f}"
    print(
        f"\n{report.agent} on {report.benchmark}: mean {mean} over {report.scored} scored "
        f"of {report.planned} planned, rules {report.rules}, {report.seconds:.1f} s"
    )
    for reason, count in report.not_scored.items():
        print(f"  not scored {count}x: {reason}")
    print(f"  run {report.run}")
