"""`tasks`: what can be stepped here."""

from __future__ import annotations

from pathlib import Path

from webbench.core import registry
from webbench.core.engine import catalogue
from webbench.tui.headless.output import print_json, print_text, say, table

SCHEMA_VERSION = 1


def list_tasks(name: str, *, split: str, data: Path | None, as_json: bool) -> int:
    """All benchmarks, or the tasks of one. Exit code 4 when the data set is missing or has errors."""
    return _one(name, split, str(data or ""), as_json) if name else _all(as_json)


def _all(as_json: bool) -> int:
    listed = [catalogue.list_tasks(name) for name in sorted(registry.load("webbench.benchmarks"))]
    if as_json:
        rows = [
            {
                "benchmark": one.benchmark,
                "title": one.title,
                "state": one.status.state,
                "detail": one.status.detail,
                "tasks": len(one.entries),
            }
            for one in listed
        ]
        print_json({"schema_version": SCHEMA_VERSION, "benchmarks": rows})
    else:
        cells = [(o.benchmark, o.title, o.status.state, len(o.entries), o.status.detail) for o in listed]
        print(table(("benchmark", "title", "state", "tasks", "detail"), cells, numbers=(3,)))
    return 0


def _one(name: str, split: str, data: str, as_json: bool) -> int:
    benchmark = catalogue.benchmark(name, data)
    status = benchmark.status()
    if status.state != "ready":
        say(f"{name} {status.state}: {status.detail}")
        return 4
    entries = [entry for entry in benchmark.catalogue() if split in ("", entry.split)]
    problems = benchmark.problems()
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "tasks": entries, "problems": problems})
    else:
        rows = [(e.name, e.instances or 1, e.split, e.site, e.kind, e.intent) for e in entries]
        print(table(("task", "instances", "split", "site", "kind", "intent"), rows, numbers=(1,)))
        for problem in problems:
            print_text(f"{problem.severity}: {problem.where}: {problem.message}")
    return 4 if any(problem.severity == "error" for problem in problems) else 0
