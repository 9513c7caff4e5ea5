"""What the installed benchmarks know of an imported task and its source did not tell: site, template, intent.

Figures are grouped by these, and resampled by template. Only what is empty is filled in.
"""

from __future__ import annotations

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.errors import WebbenchError
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task, TaskEntry

FIELDS = ("intent", "split", "site", "kind", "template")


class KnownTasks:
    """The catalogues of the installed benchmarks, each read when the first task of it comes."""

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, TaskEntry]] = {}

    def missing(self, task: Task) -> dict[str, str]:
        """What can be filled in, by field; nothing for a task that no installed benchmark has."""
        if task.benchmark not in self._entries:
            self._entries[task.benchmark] = _catalogue(task.benchmark)
        known = self._entries[task.benchmark].get(task.name)
        if known is None:
            return {}
        return {
            field: getattr(known, field)
            for field in FIELDS
            if not getattr(task, field) and getattr(known, field)
        }


def _catalogue(benchmark: str) -> dict[str, TaskEntry]:
    """Tasks by name; empty for a benchmark that isn't installed or whose data can't be read."""
    try:
        data = load_settings().data_folder(benchmark)
        entries = find_benchmark(benchmark, data).catalogue()
    except WebbenchError:
        return {}
    return {entry.name: entry for entry in entries}
