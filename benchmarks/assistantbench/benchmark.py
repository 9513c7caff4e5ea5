"""AssistantBench to be stepped: a person's own task file beside the bundled data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path

import msgspec

from webbench.benchmarks.assistantbench.aggregate import summary
from webbench.benchmarks.assistantbench.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.rules import RULE_SETS
from webbench.benchmarks.assistantbench.stage import bundled_web, open_web
from webbench.benchmarks.assistantbench.tasks import DATA_VARIABLE, TaskFile, load_tasks
from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.aggregates import Attempt
from webbench.core.bundle import Bundle
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.locations import benchmark_data
from webbench.core.plural import counted
from webbench.core.selection import require_names, require_split
from webbench.core.task import BenchmarkStatus, Problem, Stage, Task, TaskEntry
from webbench.core.traits import Traits

BUNDLE = "bundle"
"""Key of `Task.data` that names the bundle a task ships with."""
GET_DATA = (
    f"`webbench-tui data get assistantbench` fetches the dev set; or name a task file with --data or "
    f"{DATA_VARIABLE}"
)
NO_TEXT = "no task text: nobody can be asked it"


def create(data: Path | None = None) -> AssistantBench:
    """The benchmark over a task file or folder, else the one that `WEBBENCH_DATA_ASSISTANTBENCH` names."""
    return AssistantBench(benchmark_data("assistantbench", data))


class AssistantBench:
    """Questions for the open web, scored by the final answer alone."""

    name = "assistantbench"
    title = "AssistantBench"
    dialect = "assistantbench"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 100

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = AssistantBenchEvaluator()

    def status(self) -> BenchmarkStatus:
        """Ready as soon as anything can be stepped; says what is missing beside it."""
        own = self._own
        parts = []
        if own.tasks:
            parts.append(f"{counted(len(own.tasks), 'task')} in {self.data}")
        parts += [f"{len(file.tasks)} of the bundle {name}" for name, file in self._bundled.items()]
        if not parts:
            return BenchmarkStatus("needs data", own.problems[0].message)
        if not own.tasks:
            parts.append(own.problems[0].message)
        return BenchmarkStatus("ready", "; ".join(parts))

    def splits(self) -> Sequence[str]:
        return tuple(dict.fromkeys(task.split for task in self._tasks.values()))

    def catalogue(self) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                benchmark=self.name,
                name=task.name,
                intent=task.intent,
                split=task.split,
                site=task.site,
                kind=task.kind,
                problem="" if task.intent else NO_TEXT,
            )
            for task in self._tasks.values()
        ]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # noqa: ARG002 - tasks have none
    ) -> Sequence[Task]:
        """A person's own tasks in file order, then the bundled ones."""
        require_split(split, self.splits(), self.title)
        known = [task for task in self._tasks.values() if not split or task.split == split]
        require_names(names, {task.name for task in known}, self.title, split)
        return [task for task in known if not names or task.name in names]

    def problems(self) -> Sequence[Problem]:
        bundled = [problem for file in self._bundled.values() for problem in file.problems]
        return (*self._own.problems, *bundled)

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Accuracy, answer rate, precision and exact match (paper, section 3.4)."""
        return summary([attempt.under(rules) for attempt in attempts])

    def traits(self, task: Task) -> Traits:
        """Every task is a question; its kind is the difficulty that the data set gives."""
        return Traits(difficulty=task.kind, seeks_information=True)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        if not task.intent:
            raise BadData(f"{task.id}: {NO_TEXT}", "its answer can be scored from a file of predictions")
        bundle = self._bundle(task)
        return bundled_web(bundle) if bundle else open_web()

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._bundle(task))

    @cached_property
    def _bundles(self) -> Mapping[str, Bundle]:
        return {bundle.name: bundle for bundle in registry.bundles(self.name)}

    def _bundle(self, task: Task) -> Bundle | None:
        """The bundle a task ships with. Raises `BadData` for one that isn't installed."""
        name = task.data.get(BUNDLE, "")
        if name and name not in self._bundles:
            raise BadData(f'{task.id} belongs to the bundle "{name}", which is not installed')
        return self._bundles.get(name)

    @cached_property
    def _own(self) -> TaskFile:
        """The tasks of the data folder; why there is none is its first problem."""
        if self.data is None:
            return TaskFile((), (Problem("data", f"no task file of your own: {GET_DATA}", "note"),))
        try:
            return load_tasks(self.data)
        except BadData as error:
            return TaskFile((), (Problem(str(self.data), str(error), "error"),))

    @cached_property
    def _bundled(self) -> Mapping[str, TaskFile]:
        return {name: _of_bundle(bundle) for name, bundle in self._bundles.items()}

    @cached_property
    def _tasks(self) -> Mapping[str, Task]:
        """By name; a person's own task hides a bundled one of the same name."""
        files = (*self._bundled.values(), self._own)
        found = {task.name: task for file in files for task in file.tasks}
        own = {task.name: task for task in self._own.tasks}
        return own | {name: task for name, task in found.items() if name not in own}


def _of_bundle(bundle: Bundle) -> TaskFile:
    """Its tasks, with its name as split and site."""
    try:
        file = load_tasks(bundle.data)
    except BadData as error:
        return TaskFile((), (Problem(str(bundle.data), str(error), "error"),))
    marked = [
        msgspec.structs.replace(
            task, split=bundle.name, site=bundle.name, data={**task.data, BUNDLE: bundle.name}
        )
        for task in file.tasks
    ]
    return TaskFile(tuple(marked), file.problems)
