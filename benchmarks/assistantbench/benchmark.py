"""AssistantBench to be stepped: a person's own task file beside the bundled data sets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import msgspec

from webbench.benchmarks.assistantbench.scoring.aggregate import summary
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.rules import RULE_SETS
from webbench.benchmarks.assistantbench.stage import bundled_web, open_web
from webbench.benchmarks.assistantbench.tasks import DATA_VARIABLE, load_tasks
from webbench.benchmarks.common.own_and_bundled import LoadedTasks, OwnAndBundledBenchmark, entry_of
from webbench.core.benchmark.benchmark import Problem, Stage, Traits
from webbench.core.benchmark.bundle import Bundle
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry

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


class AssistantBench(OwnAndBundledBenchmark):
    """Questions for the open web, scored by the final answer alone."""

    name = "assistantbench"
    title = "AssistantBench"
    dialect = "assistantbench"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 100

    def __init__(self, data: Path | None) -> None:
        super().__init__(data, load_tasks, GET_DATA)
        self.evaluator = AssistantBenchEvaluator()

    def catalogue(self) -> Sequence[TaskEntry]:
        return [entry_of(task, problem="" if task.intent else NO_TEXT) for task in self._tasks]

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

    def _read_own(self) -> LoadedTasks:
        """The tasks of the data folder; why there is none is its first problem."""
        if self.data is None:
            return LoadedTasks((), (Problem("data", f"no task file of your own: {GET_DATA}", "note"),))
        return super()._read_own()

    def _read_bundle(self, bundle: Bundle) -> LoadedTasks:
        """With its name as site, too."""
        found = super()._read_bundle(bundle)
        tasks = tuple(msgspec.structs.replace(task, site=bundle.name) for task in found.tasks)
        return LoadedTasks(tasks, found.problems)
