"""`--version`, `doctor` and `config`: what this installation is and how it stands."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from webbench.core import registry
from webbench.core.errors import WebbenchError
from webbench.core.task import BenchmarkStatus
from webbench.tui.headless.output import print_json, table
from webbench.tui.headless.place import data_folder, store_folder

SCHEMA_VERSION = 1


def version_text() -> str:
    """Version of the program and of the formats it writes."""
    from webbench.core import observation, score, trajectory

    return (
        f"webbench-tui {version('webbench-tui')} (Python {platform.python_version()}; formats: "
        f"trajectory {trajectory.SCHEMA_VERSION}, observation {observation.SCHEMA_VERSION}, "
        f"score {score.SCHEMA_VERSION})"
    )


def run_doctor(*, store: Path | None, as_json: bool) -> int:
    """Findings with how to mend them; exit code 3 when a problem keeps tasks from running."""
    from webbench.core.doctor import examine
    from webbench.core.settings import load_settings

    settings = load_settings()
    findings = examine(
        store=store_folder(store),
        benchmarks=_statuses(),
        problems=settings.problems,
        executable=settings.executable(),
    )
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "findings": findings})
    else:
        signs = {"ok": "ok", "warning": "! warning", "problem": "x problem"}
        rows = [(f.name, signs[f.state], f.detail, f.mend) for f in findings]
        print(table(("check", "state", "found", "to mend"), rows))
    return 3 if any(finding.state == "problem" for finding in findings) else 0


def _statuses() -> dict[str, BenchmarkStatus]:
    statuses = {}
    for name in sorted(registry.load("webbench.benchmarks")):
        try:
            statuses[name] = registry.benchmark(name, data_folder(name, None)).status()
        except WebbenchError as error:
            statuses[name] = BenchmarkStatus(state="needs data", detail=str(error))
    return statuses


def print_config(*, as_json: bool) -> int:
    """Paths, then settings with their origin."""
    from webbench.core import locations
    from webbench.core.settings import load_settings

    paths = locations.paths()
    effective = load_settings().effective()
    if as_json:
        settings = {name: {"value": value, "origin": origin} for name, value, origin in effective}
        shown = {name: str(path) for name, path in paths.items()}
        print_json({"schema_version": SCHEMA_VERSION, "paths": shown, "settings": settings})
        return 0
    print(table(("path", "where"), list(paths.items())))
    print()
    print(table(("setting", "value", "origin"), effective))
    return 0
