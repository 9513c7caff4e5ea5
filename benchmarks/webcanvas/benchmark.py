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

from webbench.benchmarks.common.own_and_bundled import BUNDLE, OwnAndBundledBenchmark
from webbench.benchmarks.webcanvas.framework_results import BLANK_PAGE
from webbench.benchmarks.webcanvas.scoring.aggregate import BREAKDOWNS, summary
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.scoring.key_nodes import task_alternatives
from webbench.benchmarks.webcanvas.scoring.matched_key_node import RULE_SETS
from webbench.benchmarks.webcanvas.scoring.outcomes import step_reached
from webbench.benchmarks.webcanvas.served_addresses import Addresses
from webbench.benchmarks.webcanvas.stage import WebCanvasStage
from webbench.benchmarks.webcanvas.tasks import DATA_VARIABLE, NAME, is_address, load_tasks
from webbench.core.agent import Agent
from webbench.core.agents.reference import REFERENCE_ACTIONS, Reference, reference_oracle
from webbench.core.benchmark.benchmark import Stage
from webbench.core.benchmark.bundle import Bundle
from webbench.core.environment import EnvironmentSetup, refuse_all
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt, Breakdown
from webbench.core.score.score import Check, Score, Status
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

GET_DATA = (
    "`webbench-tui data get mind2web-live` downloads the test tasks; or name another file or folder with "
    f"--data or {DATA_VARIABLE}"
)


@runtime_checkable
class VersionedBundle(Protocol):
    """A bundle whose sites exist in several versions."""

    def at_version(self, version: int) -> Bundle:
        """The same tasks over that version of the sites. Raises `UsageError` where there is none."""
        ...


def create(data: Path | None = None) -> WebCanvasBenchmark:
    """The benchmark over a task file or a folder of them, else what `WEBBENCH_DATA_WEBCANVAS` names."""
    return WebCanvasBenchmark(benchmark_data(NAME, data))


class WebCanvasBenchmark(OwnAndBundledBenchmark):
    """Tasks on live sites, scored by the key nodes that an episode reaches."""

    name = NAME
    title = "WebCanvas (Mind2Web-Live)"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 30
    point = "key node"

    def __init__(self, data: Path | None) -> None:
        super().__init__(data, load_tasks, GET_DATA)
        self.evaluator = WebCanvasEvaluator()

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # a task has no instances
    ) -> Sequence[Task]:
        """Tasks in file order, bundled ones last; the name of a task that is to be recorded is an address."""
        new = [self._new_task(name) for name in names if is_address(name)]
        known = [name for name in names if not is_address(name)]
        found = super().tasks(split, known)
        return new if new and not known else [*found, *new]

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

    def step_reached(self, check: Check) -> int | None:
        """Of a key node's line."""
        return step_reached(check)

    def points(self, score: Score) -> float | None:
        """Key nodes reached."""
        return score.metrics.get("step_score") if score.status is Status.SCORED else None

    def breakdowns(self) -> Sequence[Breakdown]:
        """The literature's tables of parts of a score."""
        return BREAKDOWNS

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Completion rate, success rate, efficiency, human alignment; see `summary`."""
        return summary([attempt.under(rules) for attempt in attempts], rules)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return self._staged(task)

    def at_site_version(self, version: int) -> WebCanvasBenchmark:
        """The same tasks, bundled sites in another version; those without versions stay as they are.

        Raises `UsageError` where a bundle hasn't that version.
        """
        changed = WebCanvasBenchmark(self.data)
        changed._sources.bundles = {
            name: bundle.at_version(version) if isinstance(bundle, VersionedBundle) else bundle
            for name, bundle in self._sources.bundles.items()
        }
        return changed

    def has_reference(self, task: Task) -> bool:
        """Whether somebody wrote down how the task is solved."""
        bundle = self._bundle(task)
        return REFERENCE_ACTIONS in task.gold or (bundle is not None and bool(bundle.reference(task.name)))

    def ways(self, task: Task) -> dict[int, Agent]:
        """By the number of an alternative whose way somebody wrote down, who goes it; see `Alternative`.

        Raises `BadData` where what is written can't be read.
        """
        bundle, found = self._bundle(task), dict[int, Agent]()
        for number, one in enumerate(task_alternatives(task), start=1):
            actions = bundle.reference(f"{task.name}.way-{number}") if bundle is not None else ()
            if actions:
                found[number] = Reference(actions)
            elif one.reference_actions:
                gold = {REFERENCE_ACTIONS: one.reference_actions}
                found[number] = reference_oracle(msgspec.structs.replace(task, gold=gold), None)
        return found

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
        """Besides, one that serves the task's site."""
        name = None if BUNDLE in task.data else self._bundled_sites.get(task.site)
        return super()._bundle(task) if name is None else self._sources.bundles[name]

    @cached_property
    def _bundled_sites(self) -> dict[str, str]:
        """Name of the bundle by host."""
        return {
            host: name
            for name, found in self._sources.bundled.items()
            for task in found.tasks
            for host in task.data["hosts"]
        }
