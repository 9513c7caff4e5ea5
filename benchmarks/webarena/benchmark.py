"""WebArena as a benchmark that can be stepped: its tasks in all editions, and what makes each live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path

from webbench.benchmarks.common.own_and_bundled import entry_of, status_of
from webbench.benchmarks.webarena import collection
from webbench.benchmarks.webarena.collection import Collection
from webbench.benchmarks.webarena.live.live_evaluator import LiveEvaluator
from webbench.benchmarks.webarena.live.site_use import site_use
from webbench.benchmarks.webarena.scoring.aggregate import run_figures
from webbench.benchmarks.webarena.scoring.rules import LIVE_RULE_SETS
from webbench.benchmarks.webarena.scoring.string_match import NOT_ACHIEVABLE
from webbench.benchmarks.webarena.sites import NAME, addresses_set, how_to_set
from webbench.benchmarks.webarena.stage import bundled_stage, lasting_stage, missing_site
from webbench.benchmarks.webarena.task_traits import gives_up, traits
from webbench.benchmarks.webarena.tasks import GET_DATA
from webbench.core.agent import Agent
from webbench.core.agents.reference import reference_oracle
from webbench.core.benchmark.benchmark import BenchmarkStatus, Limits, Problem, SiteUse, Stage, Traits
from webbench.core.benchmark.bundle import Bundle, bundles_of
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry


def create(data: Path | None = None) -> WebArena:
    """The benchmark over a task file or folder, else the one that `WEBBENCH_DATA_WEBARENA` names."""
    return WebArena(benchmark_data(NAME, data))


class WebArena:
    """Tasks on self-hosted sites, scored by answer, final address and what pages hold afterwards."""

    name = NAME
    title = "WebArena"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = LIVE_RULE_SETS
    step_limit = 30
    limits = Limits(repeats=3, invalid=3)
    unachievable_answer = NOT_ACHIEVABLE

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = LiveEvaluator()

    def status(self) -> BenchmarkStatus:
        """Ready with what there is; what is missing stands in the detail."""
        found = self._collection
        own = len(found.tasks) - len(found.bundled)
        sizes = Counter(bundle.name for bundle in found.bundled.values())
        return status_of(own, self.data, sizes, f"WebArena's own tasks are not installed: {GET_DATA}")

    def splits(self) -> Sequence[str]:
        """Editions, bundles, and the named parts of an edition."""
        whole = dict.fromkeys(task.split for task in self._collection.tasks.values())
        return (*whole, *self._collection.subsets)

    def catalogue(self) -> Sequence[TaskEntry]:
        addresses = addresses_set()
        return [self._entry(task, addresses) for task in self._collection.tasks.values()]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # no task has instances
    ) -> Sequence[Task]:
        """In the order of the files."""
        found = self._collection.tasks
        require_split(split, self.splits(), self.title)
        require_names(names, found, self.title)
        wanted, part = set(names), self._collection.subsets.get(split)
        return [
            task
            for task in found.values()
            if (not split or (task.split == split if part is None else task.name in part))
            and (not names or task.name in wanted)
        ]

    def problems(self) -> Sequence[Problem]:
        return self._collection.problems

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Success rates as for predictions, under a rule set that some attempt was scored by."""
        return run_figures(attempts, rules)

    def traits(self, task: Task) -> Traits:
        return traits(task)

    def gives_up(self, task: Task, answer: str) -> bool:
        """ "N/A", or in the verified edition another status than SUCCESS."""
        return gives_up(task, answer)

    def site_uses(self, tasks: Sequence[Task]) -> dict[str, SiteUse]:
        """Nothing shared on bundled sites: each episode opens its own."""
        addresses = addresses_set()
        return {task.id: site_use(task, addresses) for task in tasks if self._bundle_of(task) is None}

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        bundle = self._bundle_of(task)
        return lasting_stage(task) if bundle is None else bundled_stage(task, bundle)

    def oracle(self, task: Task) -> Agent:
        """Its bundle's reference actions. Raises `UsageError` where there are none."""
        return reference_oracle(task, self._bundle_of(task))

    @cached_property
    def _bundles(self) -> list[Bundle]:
        return bundles_of(NAME)

    @cached_property
    def _collection(self) -> Collection:
        return collection.collect(self.data, self._bundles)

    def _bundle_of(self, task: Task) -> Bundle | None:
        """By split, so that a recorded task finds its bundle whatever else is installed."""
        return next((bundle for bundle in self._bundles if bundle.name == task.split), None)

    def _entry(self, task: Task, addresses: Mapping[str, str]) -> TaskEntry:
        missing = "" if task.name in self._collection.bundled else missing_site(task, addresses)
        return entry_of(
            task,
            parts=tuple(name for name, tasks in self._collection.subsets.items() if task.name in tasks),
            problem=f"{missing} has no address: {how_to_set(missing)}" if missing else "",
        )
