"""`demo` without a terminal: the oracle plays a few bundled tasks of every benchmark."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from webbench.core import registry
from webbench.core.engine import catalogue
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.runner.report import BatchReport
from webbench.core.store.store import Store
from webbench.tui.headless.batch import exit_code, plan, play
from webbench.tui.headless.output import print_json, print_line, print_text, say
from webbench.tui.headless.place import open_engine, open_store, report_settings
from webbench.tui.headless.run_request import RunRequest
from webbench.tui.headless.run_text import print_report

SCHEMA_VERSION = 1
OWN = "demo"
FEW = 2
"""Tasks of each benchmark: enough to see every kind of page, and over in less than a minute."""


def run_demo(*, store: Path | None, as_json: bool) -> int:
    """Play, print, and return the exit code: the worst of the runs, see `exit_code`.

    Raises `EnvironmentDown` where there is no browser, or a store that can't be written.
    """
    report_settings()
    started = time.monotonic()
    reports = asyncio.run(_play(requests(), open_store(store)))
    scored = [one.score for report in reports for one in report.episodes if one.score is not None]
    planned = sum(report.planned for report in reports)
    total: JsonObject = {
        "planned": planned,
        "scored": len(scored),
        "mean_score": sum(scored) / len(scored) if scored else None,
        "seconds": time.monotonic() - started,
    }
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **total, "runs": reports})
    else:
        for report in reports:
            print_report(report)
            print_line()
        mean = "not defined" if not scored else f"{sum(scored) / len(scored):.3f}"
        print_text(f"{len(scored)} of {planned} episodes scored, mean {mean}, {total['seconds']:.0f} s")
        print_text("`webbench-tui` opens the library; `webbench-tui run BENCHMARK` plays all tasks of one")
    return max(map(exit_code, reports))


def requests() -> list[RunRequest]:
    """A few tasks of every benchmark that has bundled ones, the demo's own first."""
    names = sorted(registry.load(registry.BENCHMARKS), key=lambda name: (name != OWN, name))
    return [
        RunRequest(benchmark=name, agent="oracle", tasks=few, instances=1, workers=2)
        for name in names
        if (few := spread(_bundled(name)))
    ]


def _bundled(name: str) -> list[str]:
    """Names of tasks that can be stepped without anybody's data or sites."""
    splits = {bundle.name for bundle in registry.bundles(name)}
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
            reports.append(await play(engine, plan(request, store), request.work))
            if reports[-1].state != "finished":
                break
    return reports
