"""Tasks that begin on a page of a live site: a person's own files, and bundles whose sites stand for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.common.judged_stage import live_site
from webbench.benchmarks.common.own_and_bundled import (
    LoadedTasks,
    OwnAndBundled,
    chosen,
    entry_of,
    loaded_or_problem,
    splits_of,
)
from webbench.benchmarks.common.shown_to_judge import shown_of
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.bundle import Bundle
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted
from webbench.core.trajectory import Trajectory

START = "start"
"""Key of `Task.data` for the address at which the task begins."""
BUNDLE = "bundle"
"""Key of `Task.data` that names the bundle a task ships with."""


class LiveSiteTasks:
    """The tasks of one benchmark, each with the address at which it begins under `START` of its data.

    Args:
        benchmark: whose they are.
        data: file or folder of a person's own, None for none.
        load: reads one; raises `BadData` where it holds no task.
        get_data: how to get the published ones, in words.
    """

    def __init__(
        self, benchmark: str, data: Path | None, load: Callable[[Path], LoadedTasks], get_data: str
    ) -> None:
        self._data = data
        self._load = load
        self._get_data = get_data
        self._sources = OwnAndBundled(benchmark, self._read_own, self._read_bundle)

    @cached_property
    def all(self) -> tuple[Task, ...]:
        """A person's own in file order, then the bundled ones."""
        bundled = [task for loaded in self._sources.bundled.values() for task in loaded.tasks]
        return (*self._sources.own.tasks, *bundled)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with a person's own."""
        return self._sources.own.problems

    @property
    def status(self) -> BenchmarkStatus:
        """Ready with the bundled tasks alone; says how to get the others."""
        own = self._sources.own
        told = [f"{counted(len(own.tasks), 'task')} in {self._data}"] if own.tasks else []
        told += [
            f"{len(loaded.tasks)} of the bundle {name}" for name, loaded in self._sources.bundled.items()
        ]
        if not own.tasks:
            told.append(own.problems[0].message if own.problems else f"for the others {self._get_data}")
        return BenchmarkStatus("ready" if self.all else "needs data", "; ".join(told))

    def bundle(self, task: Task) -> Bundle | None:
        """The one that the task ships with, None for one of the open web.

        Raises `BadData` where it isn't installed any more.
        """
        name = task.data.get(BUNDLE)
        if name is not None and name not in self._sources.bundles:
            raise BadData(f'{task.id}: the bundle "{name}" is not installed')
        return self._sources.bundles[name] if name is not None else None

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        """Where it begins, on the live web or on the bundle's sites. Raises `BadData`."""
        start = task.data.get(START)
        if not start:
            raise BadData(
                f"{task.id} has no page to begin on",
                "its data is missing: name it with --data, and try again",
            )
        return live_site(str(start), self.bundle(task))

    def _read_own(self) -> LoadedTasks:
        return loaded_or_problem(self._load, self._data) if self._data else LoadedTasks()

    def _read_bundle(self, bundle: Bundle) -> LoadedTasks:
        """Its tasks, with its name as split."""
        loaded = loaded_or_problem(self._load, bundle.data)
        marked = (
            msgspec.structs.replace(task, split=bundle.name, data=task.data | {BUNDLE: bundle.name})
            for task in loaded.tasks
        )
        return LoadedTasks(tuple(marked), loaded.problems)


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


class LiveSiteBenchmark:
    """What benchmarks of tasks on live sites have alike; each says its names, its evaluator, its limits.

    See `Benchmark`; `name` and `title` are class attributes of each.
    """

    name: str
    title: str
    dialect = "webarena"

    def __init__(self, data: Path | None, load: Callable[[Path], LoadedTasks], get_data: str) -> None:
        self.data = data
        self._found = LiveSiteTasks(self.name, data, load, get_data)

    def status(self) -> BenchmarkStatus:
        return self._found.status

    def splits(self) -> Sequence[str]:
        return splits_of(self._found.all)

    def catalogue(self) -> Sequence[TaskEntry]:
        return [entry_of(task) for task in self._found.all]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # noqa: ARG002 - a task has no instances
    ) -> Sequence[Task]:
        """A person's own tasks in file order, then the bundled ones."""
        return chosen(self._found.all, self.title, split, names)

    def problems(self) -> Sequence[Problem]:
        return self._found.problems

    def evidence_of(self, trajectory: Trajectory) -> JsonObject:
        """Actions and screenshots, whoever recorded them."""
        return shown_of(trajectory).evidence

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return self._found.stage(task)

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._found.bundle(task))
