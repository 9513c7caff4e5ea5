"""The door to tasks on any page: nothing is listed, and every address of the web is a task."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.page.tasks import NAME, read_task
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.errors import UsageError
from webbench.core.task import Task, TaskEntry

if TYPE_CHECKING:
    from webbench.benchmarks.page.evaluate import PageEvaluator
    from webbench.core.agent import Agent


def create(data: Path | None = None) -> PageBenchmark:  # noqa: ARG001 - it has none
    return PageBenchmark()


class PageBenchmark:
    """Ad-hoc tasks, recorded like those of any benchmark; two episodes of one name can be compared."""

    name = NAME
    title = "Any page"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = ("published",)
    step_limit = 100

    @property
    def evaluator(self) -> PageEvaluator:
        from webbench.benchmarks.page.evaluate import PageEvaluator

        return PageEvaluator()

    def status(self) -> BenchmarkStatus:
        return BenchmarkStatus("ready", "any address: webbench-tui step --url ADDRESS --intent TEXT")

    def splits(self) -> Sequence[str]:
        return ()

    def catalogue(self) -> Sequence[TaskEntry]:
        return ()

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # a task has none
    ) -> Sequence[Task]:
        """One for each name, which is an address and, after a blank, what is to be done there."""
        if split:
            raise UsageError(f'no split "{split}" in {self.title}', "it has none")
        return [read_task(name) for name in names]

    def problems(self) -> Sequence[Problem]:
        return ()

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return _staged(task)

    def oracle(self, task: Task) -> Agent:
        raise UsageError(f"Nobody wrote down how {task.name[:80]} is done", "choose another agent")


@asynccontextmanager
async def _staged(task: Task) -> AsyncIterator[Stage]:
    from webbench.benchmarks.page.stage import PageStage

    yield PageStage(task)
