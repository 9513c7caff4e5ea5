"""MiniWoB++ to be stepped: the pages of the package `miniwob`, or of a folder of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.miniwob.environments import package_folder, package_version
from webbench.benchmarks.miniwob.evaluate import RULE_SETS, MiniWobEvaluator
from webbench.benchmarks.miniwob.tasks import BENCHMARK, SEEDS, Environments
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.selection import named_seeds, require_split
from webbench.core.errors import BadData
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

if TYPE_CHECKING:
    from webbench.core.agent import Agent

EXTRA = "webbench-tui[miniwob]"
GET_DATA = (
    f"the package miniwob is not installed: pip install '{EXTRA}' brings it (MIT, 2 MB); or name the folder "
    "html of a clone with --data or WEBBENCH_DATA_MINIWOB"
)


def create(data: Path | None = None) -> MiniWob:
    """The benchmark over a folder of pages, else over those of the installed package."""
    named = benchmark_data(BENCHMARK, data)
    return MiniWob(named.expanduser() if named else package_folder())


class MiniWob:
    """Pages of 160 by 210 pixels that draw a task from a seed, ask for it, and end it with a reward."""

    name = BENCHMARK
    title = "MiniWoB++"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 100

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = MiniWobEvaluator()

    def status(self) -> BenchmarkStatus:
        if self.data is None:
            return BenchmarkStatus("needs data", GET_DATA, f"pip install '{EXTRA}'")
        if not (self.data / "core" / "core.js").is_file():
            return BenchmarkStatus("needs data", f"{self.data} holds no MiniWoB++ pages (core/core.js)")
        release = f"release {package_version()}" if self.data == package_folder() else str(self.data)
        return BenchmarkStatus(
            "ready", f"{counted(len(self.environments.found), 'environment')} of {release}"
        )

    @cached_property
    def environments(self) -> Environments:
        """Raises `BadData` where there is no folder of pages."""
        if self.data is None:
            raise BadData("MiniWoB++ can't be loaded", GET_DATA)
        return Environments(self.data, clock=load_settings().page_clock)

    def ends_by_submitting(self, task: Task) -> bool:
        """The page ends the episode, by its button or at once."""
        return True

    def splits(self) -> Sequence[str]:
        return self.environments.splits

    def catalogue(self) -> Sequence[TaskEntry]:
        return self.environments.entries()

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """As `named_seeds` chooses them; the first five of each environment where no number is given."""
        found = self.environments
        require_split(split, found.splits, self.title)
        known = {
            name: one for name, one in found.found.items() if not split or split in (one.split, *one.parts)
        }
        end = SEEDS if instances is None else instances
        return [found.task(name, seed) for name, seed in named_seeds(names, known, end, self.title, split)]

    def problems(self) -> Sequence[Problem]:
        return self.environments.problems

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        from webbench.benchmarks.miniwob.stage import staged

        return staged(task, self.environments.folder)

    def oracle(self, task: Task) -> Agent:
        """Follows the plan of the environment. Raises `UsageError` where it has none, with the reason."""
        from webbench.benchmarks.miniwob.oracle import MiniWobOracle

        return MiniWobOracle(task)
