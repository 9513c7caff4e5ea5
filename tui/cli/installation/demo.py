"""`demo` without a terminal: the oracle plays a few bundled tasks of every benchmark."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.api.batch_run import planned_batch
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.engine import catalogue
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.runner.batch import Work
from webbench.core.runner.plan.run_request import RunRequest
from webbench.core.runner.status.results import BatchReport
from webbench.core.score.explanation import value_words
from webbench.core.score.score import Status
from webbench.core.statistics.mean import mean
from webbench.core.store.store import Store
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_text, say
from webbench.tui.cli.place import open_engine, open_store, report_settings
from webbench.tui.cli.runs.report_text import print_report
from webbench.tui.cli.runs.run import exit_code, play
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
OWN = "demo"
FEW = 2
"""Tasks of each benchmark: enough to see every kind of page, and over in less than a minute."""


@choosing_browser
def demo_command(
    headless: Annotated[
        bool, typer.Option("--headless", help="Play the demo with the oracle and print the scores.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """What is bundled, fully offline: sites with state, and tasks of every benchmark on them.

    Without a terminal the oracle agent plays a few tasks of each.
    """
    if headless or as_json or not at_terminal():
        raise typer.Exit(run_demo(store=store, as_json=as_json))
    from webbench.tui.cli.opening_screens import open_library

    open_library(store=store, benchmark="demo")


def run_demo(*, store: Path | None, as_json: bool) -> int:
    """Play, print, and return the exit code: the worst of the runs, see `exit_code`.

    What only waits for a judge is as it should be: the demo has none.

    Raises `EnvironmentDown` where there is no browser, or a store that can't be written.
    """
    report_settings()
    started = time.monotonic()
    reports = asyncio.run(_play(requests(), open_store(store)))
    scored = [one.score for report in reports for one in report.episodes if one.score is not None]
    average = mean(scored)
    planned = sum(report.planned for report in reports)
    pending = sum(one.status == Status.PENDING for report in reports for one in report.episodes)
    total: JsonObject = {
        "planned": planned,
        "scored": len(scored),
        "pending": pending,
        "mean_score": average,
        "seconds": time.monotonic() - started,
    }
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **total, "runs": reports})
    else:
        for report in reports:
            print_report(report)
            print_line()
        told = value_words(average)
        waiting = f", {pending} wait for a judge" if pending else ""
        print_text(
            f"{len(scored)} of {planned} episodes scored{waiting}, mean {told}, {total['seconds']:.0f} s"
        )
        print_text("`webbench-tui` opens the library; `webbench-tui run BENCHMARK` plays all tasks of one")
    return max((exit_code(report) for report in reports if not _only_waits(report)), default=0)


def _only_waits(report: BatchReport) -> bool:
    """Whether all that has no score was played to its end, and a judge is to be asked."""
    pending = sum(one.status == Status.PENDING for one in report.episodes)
    return report.state == "finished" and 0 < pending == report.planned - report.scored


def requests() -> list[RunRequest]:
    """A few tasks of every benchmark that has bundled ones, the demo's own first."""
    names = sorted(entry_points.load(BENCHMARKS), key=lambda name: (name != OWN, name))
    return [
        RunRequest(benchmark=name, agent="oracle", tasks=few, instances=1, workers=2)
        for name in names
        if (few := spread(_bundled(name)))
    ]


def _bundled(name: str) -> list[str]:
    """Names of tasks that can be stepped without anybody's data or sites."""
    splits = {bundle.name for bundle in bundles_of(name)}
    return [
        entry.name
        for entry in catalogue.list_tasks(name).entries
        if not entry.problem and (name == OWN or entry.split in splits)
    ]


def spread(names: Sequence[str]) -> tuple[str, ...]:
    """`FEW` of them, from the first to the last."""
    if len(names) <= FEW:
        return tuple(names)
    return tuple(names[at * (len(names) - 1) // (FEW - 1)] for at in range(FEW))


async def _play(wanted: Sequence[RunRequest], store: Store) -> list[BatchReport]:
    """All of them in one engine, one benchmark after the other."""
    if not wanted:
        raise EnvironmentDown("No benchmark with bundled tasks is installed", "run `make setup`")
    reports: list[BatchReport] = []
    async with open_engine(store) as engine:
        await engine.browser()
        for request in wanted:
            say(f"{request.benchmark}: {', '.join(request.tasks)}")
            reports.append(await play(engine, planned_batch(request, store), Work(workers=request.workers)))
            if reports[-1].state != "finished":
                break
    return reports
