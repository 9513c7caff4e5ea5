"""The door through which everything else finds WebCanvas: its own data beside the bundled tasks."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.webcanvas.addresses import Addresses
from webbench.benchmarks.webcanvas.breakdowns import BREAKDOWNS
from webbench.benchmarks.webcanvas.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.matching import RULE_SETS
from webbench.benchmarks.webcanvas.outcomes import step_reached
from webbench.benchmarks.webcanvas.results import BLANK_PAGE
from webbench.benchmarks.webcanvas.stage import WebCanvasStage
from webbench.benchmarks.webcanvas.summary import summary
from webbench.benchmarks.webcanvas.tasks import DATA_VARIABLE, TaskFiles, load_tasks
from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.aggregates import Attempt, Breakdown
from webbench.core.bundle import Bundle
from webbench.core.environment import EnvironmentSetup, refuse_all
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.locations import benchmark_data
from webbench.core.plural import counted
from webbench.core.score import Check
from webbench.core.selection import require_names, require_split
from webbench.core.task import BenchmarkStatus, Problem, Stage, Task, TaskEntry

GET_DATA = (
    "`webbench-tui data get mind2web-live` downloads the test tasks; or name another file or folder with "
    f"--data or {DATA_VARIABLE}"
)


@runtime_checkable
class VersionedBundle(Protocol):
    """A bundle whose sites exist in several versions."""

    def at_version(self, version: int) -> Bundle:
        """The same tasks over that version of the sites. Raises `UsageError` where there is none."""


def create(data: Path | None = None) -> WebCanvasBenchmark:
    """The benchmark over a task file or a folder of them, else what `WEBBENCH_DATA_WEBCANVAS` names."""
    return WebCanvasBenchmark(benchmark_data("webcanvas", data))


class WebCanvasBenchmark:
    """Tasks on live sites, scored by the key nodes that an episode reaches."""

    name = "webcanvas"
    title = "WebCanvas (Mind2Web-Live)"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 30

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = WebCanvasEvaluator()

    def status(self) -> BenchmarkStatus:
        """Ready with the bundled tasks alone; says how to get the others."""
        own, bundled = len(self._own.tasks), len(self._tasks) - len(self._own.tasks)
        told = [counted(bundled, "bundled task")] if bundled else []
        if own:
            told.insert(0, f"{counted(own, 'task')} in {self.data}")
        else:
            told.append(self._own.problems[0].message if self._own.problems else f"for the others {GET_DATA}")
        return BenchmarkStatus("ready" if own or bundled else "needs data", "; ".join(told))

    def splits(self) -> Sequence[str]:
        return tuple(dict.fromkeys(task.split for task in self._tasks))

    def catalogue(self) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                benchmark=self.name,
                name=task.name,
                intent=task.intent,
                split=task.split,
                site=task.site,
                kind=task.kind,
            )
            for task in self._tasks
        ]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # noqa: ARG002 - a task has no instances
    ) -> Sequence[Task]:
        """Tasks in file order, bundled ones last; the name of a task that is to be recorded is an address."""
        require_split(split, self.splits(), self.title)
        found = [task for task in self._tasks if not split or task.split == split]
        found += [self._new_task(name) for name in names if _is_address(name)]
        require_names(names, {task.name for task in found}, self.title, split)
        return [task for task in found if not names or task.name in names]

    def _new_task(self, address: str) -> Task:
        """The task of recording one that begins at this address."""
        host = urlsplit(address).hostname or ""
        return Task(
            benchmark=self.name,
            name=address,
            intent="Record a new task: show how it is done",
            site=host,
            kind="recording",
            data={"hosts": [host], "start": address},
        )

    def problems(self) -> Sequence[Problem]:
        return self._own.problems

    def step_reached(self, check: Check) -> int | None:
        """Of a key node's line."""
        return step_reached(check)

    def breakdowns(self) -> Sequence[Breakdown]:
        """The literature's tables of parts of a score."""
        return BREAKDOWNS

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Completion rate, success rate, efficiency, human alignment; see `summary`."""
        return summary([attempt.under(rules) for attempt in attempts], rules)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return self._staged(task)

    def oracle(self, task: Task) -> Agent:
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._bundle(task))

    def at_site_version(self, version: int) -> WebCanvasBenchmark:
        """The same tasks, bundled sites in another version; those without versions stay as they are.

        Raises `UsageError` where a bundle hasn't that version.
        """
        changed = WebCanvasBenchmark(self.data)
        changed._bundles = [
            bundle.at_version(version) if isinstance(bundle, VersionedBundle) else bundle
            for bundle in self._bundles
        ]
        return changed

    def has_reference(self, task: Task) -> bool:
        """Whether somebody wrote down how the task is solved."""
        bundle = self._bundle(task)
        return bundle is not None and bool(bundle.reference(task.name))

    @contextlib.asynccontextmanager
    async def _staged(self, task: Task) -> AsyncIterator[Stage]:
        bundle = self._bundle(task)
        if bundle is None:
            start = str(task.data.get("start", BLANK_PAGE))
            yield WebCanvasStage.of(task, EnvironmentSetup(start_urls=(start,)))
            return
        async with bundle.open(task.data["hosts"]) as sites:
            if task.site not in sites.addresses:
                raise EnvironmentDown(f'the bundle "{bundle.name}" serves no site "{task.site}"')
            served = {f"https://{host}": address for host, address in sites.addresses.items()}
            start = str(task.data.get("start", f"https://{task.site}/"))
            setup = EnvironmentSetup(
                start_urls=(Addresses(served).served(start),),
                request_filter=refuse_all,
                passthrough=sites.passthrough,
            )
            yield WebCanvasStage.of(task, setup, served)

    def _bundle(self, task: Task) -> Bundle | None:
        """The bundle that the task is of, else one that serves its site, None for a task of the open web.

        Raises `BadData` where the bundle isn't installed any more.
        """
        name = task.data.get("bundle", self._bundled_sites.get(task.site))
        if name is None:
            return None
        found = next((one for one in self._bundles if one.name == name), None)
        if found is None:
            raise BadData(f'{task.id}: the bundle "{name}" is not installed')
        return found

    @cached_property
    def _bundled_sites(self) -> dict[str, str]:
        """Name of the bundle by host."""
        return {
            host: task.data["bundle"]
            for task in self._tasks
            if "bundle" in task.data
            for host in task.data["hosts"]
        }

    @cached_property
    def _bundles(self) -> list[Bundle]:
        return registry.bundles(self.name)

    @cached_property
    def _own(self) -> TaskFiles:
        if self.data is None:
            return TaskFiles(())
        try:
            return load_tasks(self.data)
        except BadData as error:
            return TaskFiles((), (Problem(str(self.data), str(error), "error"),))

    @cached_property
    def _tasks(self) -> tuple[Task, ...]:
        bundled = [
            msgspec.structs.replace(task, split=bundle.name, data=task.data | {"bundle": bundle.name})
            for bundle in self._bundles
            for task in load_tasks(bundle.data).tasks
        ]
        return (*self._own.tasks, *bundled)


def _is_address(name: str) -> bool:
    try:
        parts = urlsplit(name)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
