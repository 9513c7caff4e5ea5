"""The door to BrowserGym's environments: whatever an installed package registers can be stepped and run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.browsergym.tasks import BENCHMARK, RULE_SETS, Environments
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.selection import named_seeds, require_split
from webbench.core.dialects.notations.browsergym_calls import INFEASIBLE
from webbench.core.errors import UsageError
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

if TYPE_CHECKING:
    from webbench.benchmarks.browsergym.evaluate import RewardEvaluator
    from webbench.core.agent import Agent

NOTHING = (
    "no package with BrowserGym environments is installed: name a Python that has one by the setting "
    "browsergym.pythons, or install one here, such as browsergym-miniwob"
)


def create(data: Path | None = None) -> BrowserGym:  # noqa: ARG001 - the packages bring their data
    return BrowserGym()


class BrowserGym:
    """Environments of packages, in a process each, acted on and observed as any page is."""

    name = BENCHMARK
    title = "BrowserGym"
    dialect = "browsergym"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 100
    browserless = True
    """The environments start their own."""
    hears_messages = True
    unachievable_answer = INFEASIBLE

    @property
    def evaluator(self) -> RewardEvaluator:
        from webbench.benchmarks.browsergym.evaluate import RewardEvaluator

        return RewardEvaluator()

    @cached_property
    def environments(self) -> Environments:
        return Environments(load_settings().browsergym.pythons)

    def status(self) -> BenchmarkStatus:
        found = self.environments
        if not found.found:
            problem = next((f"{one.where}: {one.message}" for one in found.problems), "")
            return BenchmarkStatus("needs data", problem or NOTHING, "set browsergym.pythons")
        packages = {package.name for _, package in found.found.values()}
        told = f"{counted(len(found.found), 'environment')} of {counted(len(packages), 'package')}"
        broken = sum(problem.severity == "error" for problem in found.problems)
        return BenchmarkStatus("ready", f"{told}; {counted(broken, 'problem')}" if broken else told)

    def splits(self) -> Sequence[str]:
        return self.environments.splits

    def catalogue(self) -> Sequence[TaskEntry]:
        return self.environments.entries()

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """As `named_seeds` chooses them; seed 0 of each environment where no number is given."""
        found = self.environments
        require_split(split, found.splits, self.title)
        known = [entry.name for entry in found.entries() if not split or split in entry.splits]
        end = 1 if instances is None else instances
        wanted = named_seeds(names, known, end, self.title, split, what="environment")
        return [found.task(name, seed) for name, seed in wanted]

    def problems(self) -> Sequence[Problem]:
        return self.environments.problems

    @asynccontextmanager
    async def stage(self, task: Task) -> AsyncIterator[Stage]:
        """Raises `UsageError` where the environment is not installed, `EnvironmentDown` with the mend."""
        from webbench.benchmarks.browsergym.stage import staged

        python, versions = await asyncio.to_thread(self._player, task)  # it may have to be listed first
        async with staged(task, python, versions) as stage:
            yield stage

    def _player(self, task: Task) -> tuple[str, dict[str, str]]:
        _, package = self.environments.found.get(task.name, (None, None))
        if package is None:
            raise UsageError(f"{task.name} is not installed", NOTHING)
        return package.python, self.environments.versions(package)

    def oracle(self, task: Task) -> Agent:
        raise UsageError(f"{task.name} has no oracle here", "choose another agent")
