"""Tasks that begin on a page of a live site: a person's own files, and bundles whose sites stand for it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

from webbench.benchmarks.common.judged_stage import live_site
from webbench.benchmarks.common.own_and_bundled import OwnAndBundledBenchmark
from webbench.benchmarks.common.shown_to_judge import shown_of
from webbench.core.benchmark.benchmark import Stage
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

START = "start"
"""Key of `Task.data` for the address at which the task begins."""


def start_address(value: Json, key: str) -> str:
    """The address of a start page as a task file gives it. Raises `BadData` for what a browser can't open."""
    if not isinstance(value, str) or not value.strip():
        raise BadData(f'the task has no address "{key}"')
    try:
        parts = urlsplit(value.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise BadData(f'"{key}" is no address of a page: {value[:80]}')
    return value.strip()


def host_of(address: str) -> str:
    """Its host name, "" where it has none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


class LiveSiteBenchmark(OwnAndBundledBenchmark):
    """What benchmarks of tasks on live sites have alike; the sites of a bundle stand for the live ones.

    Each task has the address at which it begins under `START` of its data.
    """

    dialect = "webarena"

    def evidence_of(self, trajectory: Trajectory) -> JsonObject:
        """Actions and screenshots, whoever recorded them."""
        return shown_of(trajectory).evidence

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        """Where it begins, on the live web or on the bundle's sites. Raises `BadData`."""
        start = task.data.get(START)
        if not start:
            raise BadData(
                f"{task.id} has no page to begin on",
                "its data is missing: name it with --data, and try again",
            )
        return live_site(str(start), self._bundle(task))
