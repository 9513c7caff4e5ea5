"""AssistantBench to be stepped: a person's own task file beside the bundled data sets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path

import msgspec

from webbench.benchmarks.assistantbench.scoring.aggregate import summary
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.rules import RULE_SETS
from webbench.benchmarks.assistantbench.stage import bundled_web, open_web
from webbench.benchmarks.assistantbench.tasks import DATA_VARIABLE, load_tasks
from webbench.benchmarks.common.own_and_bundled import (
    LoadedTasks,
    OwnAndBundled,
    chosen,
    entry_of,
    loaded_or_problem,
    splits_of,
)
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage, Traits
from webbench.core.benchmark.bundle import Bundle
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

BUNDLE = "bundle"
"""Key of `Task.data` that names the bundle a task ships with."""
GET_DATA = (
    f"`webbench-tui data get assistantbench` fetches the dev set; or name a task file with --data or "
    f"{DATA_VARIABLE}"
)
GROUPINGS = {"time dependency": "time_dependency", "collection": "collection"}
"""Keys of `Task.data` by the name of what they group tasks by."""
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
        self._sources = OwnAndBundled(self.name, self._read_own, _read_bundle)

    def status(self) -> BenchmarkStatus:
        """Ready as soon as anything can be stepped; says what is missing beside it."""
        own = self._sources.own
        parts = []
        if own.tasks:
            parts.append(f"{counted(len(own.tasks), 'task')} in {self.data}")
        parts += [f"{len(file.tasks)} of the bundle {name}" for name, file in self._sources.bundled.items()]
        if not parts:
            return BenchmarkStatus("needs data", own.problems[0].message)
        if not own.tasks:
            parts.append(own.problems[0].message)
        return BenchmarkStatus("ready", "; ".join(parts))

    def splits(self) -> Sequence[str]:
        return splits_of(self._tasks)

    def catalogue(self) -> Sequence[TaskEntry]:
        return [entry_of(task, problem="" if task.intent else NO_TEXT) for task in self._tasks]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # tasks have none
    ) -> Sequence[Task]:
        """A person's own tasks in file order, then the bundled ones."""
        return chosen(self._tasks, self.title, split, names)

    def problems(self) -> Sequence[Problem]:
        bundled = [problem for file in self._sources.bundled.values() for problem in file.problems]
        return (*self._sources.own.problems, *bundled)

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Accuracy, answer rate, precision and exact match (paper, section 3.4)."""
        return summary([attempt.under(rules) for attempt in attempts])

    def traits(self, task: Task) -> Traits:
        """Every task is a question; its kind is the difficulty that the data set gives.

        Grouped besides by how its answer depends on time (paper, table 12) and how it was collected (tables 3
        and 10), where the task file says so.
        """
        others = {name: str(task.data[key]) for name, key in GROUPINGS.items() if task.data.get(key)}
        return Traits(difficulty=task.kind, seeks_information=True, others=others)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        if not task.intent:
            raise BadData(f"{task.id}: {NO_TEXT}", "its answer can be scored from a file of predictions")
        bundle = self._bundle(task)
        return bundled_web(bundle) if bundle else open_web()

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._bundle(task))

    def _bundle(self, task: Task) -> Bundle | None:
        """The bundle a task ships with. Raises `BadData` for one that isn't installed."""
        name = task.data.get(BUNDLE, "")
        if name and name not in self._sources.bundles:
            raise BadData(f'{task.id} belongs to the bundle "{name}", which is not installed')
        return self._sources.bundles.get(name)

    def _read_own(self) -> LoadedTasks:
        """The tasks of the data folder; why there is none is its first problem."""
        if self.data is None:
            return LoadedTasks((), (Problem("data", f"no task file of your own: {GET_DATA}", "note"),))
        return loaded_or_problem(load_tasks, self.data)

    @cached_property
    def _tasks(self) -> Sequence[Task]:
        """A person's own task hides a bundled one of the same name."""
        files = (*self._sources.bundled.values(), self._sources.own)
        found = {task.name: task for file in files for task in file.tasks}
        own = {task.name: task for task in self._sources.own.tasks}
        return tuple((own | {name: task for name, task in found.items() if name not in own}).values())


def _read_bundle(bundle: Bundle) -> LoadedTasks:
    """Its tasks, with its name as split and site."""
    loaded = loaded_or_problem(load_tasks, bundle.data)
    marked = [
        msgspec.structs.replace(
            task, split=bundle.name, site=bundle.name, data={**task.data, BUNDLE: bundle.name}
        )
        for task in loaded.tasks
    ]
    return LoadedTasks(tuple(marked), loaded.problems)
