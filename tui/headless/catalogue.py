"""`tasks`: what can be stepped here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from webbench.core import registry
from webbench.core.errors import WebbenchError
from webbench.core.task import Benchmark
from webbench.tui.headless.output import print_json, print_text, say, table
from webbench.tui.headless.place import data_folder

SCHEMA_VERSION = 1


def list_tasks(name: str, *, split: str, data: Path | None, as_json: bool) -> int:
    """All benchmarks, or the tasks of one. Exit code 4 when the data set has errors."""
    return _one(name, split, data, as_json) if name else _all(as_json)


def _all(as_json: bool) -> int:
    rows = []
    for name in sorted(registry.load("webbench.benchmarks")):
        try:
            benchmark = registry.benchmark(name, data_folder(name, None))
            status = benchmark.status()
            rows.append((name, benchmark.title, status.state, status.detail))
        except WebbenchError as error:
            rows.append((name, "", "broken", str(error)))
    if as_json:
        keys = ("benchmark", "title", "state", "detail")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"schema_version": SCHEMA_VERSION, "benchmarks": listed})
    else:
        print(table(("benchmark", "title", "state", "detail"), rows))
    return 0


def _one(name: str, split: str, data: Path | None, as_json: bool) -> int:
    benchmark = registry.benchmark(name, data_folder(name, data))
    status = benchmark.status()
    if status.state != "ready":
        say(f"{name} {status.state}: {status.detail}")
        return 4
    tasks = benchmark.tasks(split)
    problems = benchmark.problems()
    if as_json:
        listed = [
            {
                "task": task.name,
                "instance": task.instance,
                "split": task.split,
                "site": task.site,
                "kind": task.kind,
                "intent": task.intent,
            }
            for task in tasks
        ]
        print_json({"schema_version": SCHEMA_VERSION, "tasks": listed, "problems": problems})
    else:
        _print_tasks(benchmark, split)
        for problem in problems:
            print_text(f"{problem.severity}: {problem.where}: {problem.message}")
    return 4 if any(problem.severity == "error" for problem in problems) else 0


def _print_tasks(benchmark: Benchmark, split: str) -> None:
    tasks = benchmark.tasks(split)
    counts = Counter(task.name for task in tasks)
    first = {task.name: task for task in reversed(tasks)}
    rows = [
        (name, counts[name], first[name].split, first[name].site, first[name].kind, first[name].intent)
        for name in dict.fromkeys(task.name for task in tasks)
    ]
    print(table(("task", "instances", "split", "site", "kind", "intent"), rows, numbers=(1,)))
