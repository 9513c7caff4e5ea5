"""The demo benchmark: tasks over a bundled shop and a bundled annotation site."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.demo.evaluate import DemoEvaluator
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage, Traits
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.errors import BadData
from webbench.core.task import Task, TaskEntry

if TYPE_CHECKING:
    from webbench.core.agent import Agent

TASKS = Path(__file__).parent / "tasks.json"


def create(data: Path | None = None) -> DemoBenchmark:
    """The demo; `data` may name another task file over the same sites."""
    return DemoBenchmark(data or TASKS)


class DemoBenchmark:
    name = "demo"
    title = "Bundled demo"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = ("published",)
    step_limit = 40

    def __init__(self, file: Path) -> None:
        self._file = file
        self.evaluator = DemoEvaluator()

    def status(self) -> BenchmarkStatus:
        return BenchmarkStatus("ready", f"{len(self._tasks)} tasks over three bundled sites, offline")

    def ends_by_submitting(self, task: Task) -> bool:
        """Annotation is sent in; in the shop the actor stops."""
        return task.site == "annotation"

    def splits(self) -> Sequence[str]:
        return tuple(dict.fromkeys(task.split for task in self._tasks))

    def catalogue(self) -> Sequence[TaskEntry]:
        """One entry per task name, from easy to hard."""
        first = {task.name: task for task in reversed(self._tasks)}
        return [
            TaskEntry(
                benchmark=self.name,
                name=name,
                intent=first[name].intent,
                split=first[name].split,
                site=first[name].site,
                kind=first[name].kind,
                template=first[name].template,
                instances=sum(task.name == name for task in self._tasks)
                if first[name].instance is not None
                else None,
            )
            for name in dict.fromkeys(task.name for task in self._tasks)
        ]

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks from easy to hard; a name may also be an id such as "receipt#0"."""
        require_split(split, self.splits(), self.name)
        known = {task.name for task in self._tasks} | {task.id for task in self._tasks}
        require_names(names, known, self.name)
        return [
            task
            for task in self._tasks
            if (not split or task.split == split)
            and (not names or task.name in names or task.id in names)
            and (instances is None or (task.instance or 0) < instances)
        ]

    def problems(self) -> Sequence[Problem]:
        return ()

    def traits(self, task: Task) -> Traits:
        return Traits(seeks_information=task.kind == "question", achievable=True)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        from webbench.benchmarks.demo.stage import staged

        return staged(task)

    def oracle(self, task: Task) -> Agent:
        from webbench.benchmarks.demo.agents.oracle import DemoOracle

        return DemoOracle(task)

    @cached_property
    def _tasks(self) -> tuple[Task, ...]:
        try:
            listed = json.loads(self._file.read_text("utf-8"))
            return tuple(
                msgspec.convert({"benchmark": self.name, "split": entry["site"], **entry}, Task)
                for entry in listed
            )
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise BadData(f"{self._file}: not a demo task file: {error}") from error
