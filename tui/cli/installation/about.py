"""`--version`, `doctor` and `config`: what this installation is and how it stands."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import typer

from webbench.core.agents.known_agents import ListedAgent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Severity
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.doctor.plugin_check import foreign_problems
from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, BUNDLES, DATA
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_table, say, wrapped
from webbench.tui.cli.place import data_folder, settings_problems, store_folder

SCHEMA_VERSION = 1
GROUPS = (BENCHMARKS, BUNDLES, DATA)
"""Plug-ins without which tasks are missing."""
SIGNS = {"ok": "ok", "warning": "! warning", "problem": "x problem"}


@choosing_browser
def doctor_command(store: StorePath = None, as_json: AsJson = False) -> None:
    """Check Python, Chromium, display, terminal, fonts, store and data; say how to mend each."""
    raise typer.Exit(run_doctor(store=store, as_json=as_json))


def config_command(as_json: AsJson = False) -> None:
    """Print the paths and every effective setting with its origin."""
    raise typer.Exit(print_config(as_json=as_json))


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


def print_config(*, as_json: bool) -> int:
    """Paths, settings with their origin, presets of agents; exit code 1 when one of them is wrong."""
    from webbench.core.agents.known_agents import listed_agents
    from webbench.core.agents.presets import load_presets
    from webbench.core.settings import locations
    from webbench.core.settings.load_settings import load_settings

    settings, presets = load_settings(), load_presets()
    effective, problems = settings.effective(), [*settings_problems(), *presets.problems]
    listed = [one for one in listed_agents(presets) if one.kind == "preset"]
    paths: dict[str, Path | None] = {
        **locations.paths(),
        "project settings": locations.project_file(),
        "store": settings.store_folder(),
    }
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "paths": {name: str(path) if path else None for name, path in paths.items()},
                "settings": {name: {"value": value, "origin": origin} for name, value, origin in effective},
                "presets": listed,
                "refused": settings.refused,
                "problems": problems,
            }
        )
    else:
        print_table(("path", "where"), [(name, _place(path)) for name, path in paths.items()])
        print_line()
        rows = [(name, _setting_text(value), origin) for name, value, origin in effective]
        print_table(("setting", "value", "origin"), rows, flexible=(1,), whole=True)
        print_line()
        print_table(
            ("agent preset", "agent", "origin"), [(one.name, one.base, _origin(one)) for one in listed]
        )
        if settings.refused:
            print_line()
            refused = [
                (one.setting, _setting_text(one.value), f"{one.file}: {one.reason}")
                for one in settings.refused
            ]
            print_table(("not taken", "value", "file and reason"), refused, flexible=(1, 2), whole=True)
    for problem in problems:
        say(problem)
    return 1 if problems else 0


def _origin(preset: ListedAgent) -> str:
    return f"{preset.origin}, wins over {preset.hides}" if preset.hides else preset.origin


def _place(path: Path | None) -> str:
    if path is None:
        return "no webbench.toml here or above"
    return str(path) if path.exists() else f"{path} (not there yet)"


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value not in ("", None) else "–"
