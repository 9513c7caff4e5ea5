"""`--version` and `doctor`: what this installation is and how it stands."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import typer

from webbench.core.benchmark.benchmark import BenchmarkStatus, Severity
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.doctor.plugin_check import foreign_problems
from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, BUNDLES, DATA
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, wrapped
from webbench.tui.cli.place import data_folder, settings_problems, store_folder

SCHEMA_VERSION = 1
GROUPS = (BENCHMARKS, BUNDLES, DATA)
"""Plug-ins without which tasks are missing."""
SIGNS = {"ok": "ok", "warning": "! warning", "problem": "x problem"}


@choosing_browser
def doctor_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """Check Python, Chromium, display, terminal, fonts, store and data; say how to mend each."""
    raise typer.Exit(run_doctor(store=store, as_json=as_json))


def version_text() -> str:
    """Version of the program and of the formats it writes."""
    from webbench.core import observation, trajectory
    from webbench.core.score import score

    return (
        f"webbench-tui {version('webbench-tui')} (Python {platform.python_version()}; formats: "
        f"trajectory {trajectory.SCHEMA_VERSION}, observation {observation.SCHEMA_VERSION}, "
        f"score {score.SCHEMA_VERSION})"
    )


def run_doctor(*, store: Path | None, as_json: bool) -> int:
    """Findings with how to mend them; exit code 3 when a problem keeps tasks from running."""
    from webbench.core.browser.starting.configured import configured_launch
    from webbench.core.doctor.doctor import examine
    from webbench.core.settings.load_settings import load_settings
    from webbench.tui.pictures.detect import detect_graphics

    settings = load_settings()
    graphics = detect_graphics(settings.pictures)
    statuses, data_problems = _benchmarks()
    findings = examine(
        store=store_folder(store),
        benchmarks=statuses,
        data_problems=data_problems,
        problems=tuple(settings_problems()),
        broken=_broken(),
        browser=configured_launch(settings),
        graphics=f"{graphics.mode}: {graphics.why}",
    )
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "findings": findings})
    else:
        for finding in findings:
            print_line(wrapped(f"{finding.name}: {finding.detail}", f"{SIGNS[finding.state]:10} "))
            if finding.mend:
                print_line(wrapped(f"to mend: {finding.mend}", " " * 11))
    return 3 if any(finding.state == "problem" for finding in findings) else 0


def _broken() -> tuple[str, ...]:
    """What is wrong with plug-ins: those without which tasks are missing, and every other foreign one."""
    needed = (told for group in GROUPS for told in entry_points.broken(group).values())
    return (*needed, *foreign_problems(besides=GROUPS))


def _benchmarks() -> tuple[dict[str, BenchmarkStatus], dict[str, Counter[Severity]]]:
    """The state of every benchmark, and how many problems of each severity are in its data."""
    statuses: dict[str, BenchmarkStatus] = {}
    problems: dict[str, Counter[Severity]] = {}
    for name in sorted(entry_points.load(BENCHMARKS)):
        try:
            benchmark = find_benchmark(name, data_folder(name, None))
            statuses[name] = benchmark.status()
            if statuses[name].state == "ready":
                problems[name] = Counter(problem.severity for problem in benchmark.problems())
        except WebbenchError as error:
            statuses[name] = BenchmarkStatus(state="needs data", detail=str(error))
    return statuses, problems
