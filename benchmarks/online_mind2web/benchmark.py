"""The door through which everything else finds Online-Mind2Web: its own data beside the bundled tasks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from webbench.benchmarks.common.live_site_tasks import LiveSiteTasks
from webbench.benchmarks.common.own_and_bundled import chosen, entry_of, splits_of
from webbench.benchmarks.common.shown_to_judge import shown_of
from webbench.benchmarks.online_mind2web.scoring.aggregate import summary
from webbench.benchmarks.online_mind2web.scoring.evaluate import RULE_SETS, OnlineMind2WebEvaluator
from webbench.benchmarks.online_mind2web.tasks import DATA_VARIABLE, NAME, load_tasks
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage, Traits
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.trajectory import Trajectory

GET_DATA = (
    "`webbench-tui data get online-mind2web` says how to get the 300 published tasks; "
    f"name the file with --data or {DATA_VARIABLE}"
)


def create(data: Path | None = None) -> OnlineMind2Web:
    """The benchmark over a task file or its folder, else what `WEBBENCH_DATA_ONLINE_MIND2WEB` names."""
    return OnlineMind2Web(benchmark_data(NAME, data))


class OnlineMind2Web:
    """Tasks on live sites, each from the page it names, judged by WebJudge or by people."""

    name = NAME
    title = "Online-Mind2Web"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 50
    """Twice the 24 of the longest reference; the paper sets none."""

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = OnlineMind2WebEvaluator()
        self._found = LiveSiteTasks(NAME, data, load_tasks, GET_DATA)

    def status(self) -> BenchmarkStatus:
        return self._found.status

    def splits(self) -> Sequence[str]:
        return splits_of(self._found.all)

    def catalogue(self) -> Sequence[TaskEntry]:
        return [entry_of(task) for task in self._found.all]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # noqa: ARG002 - a task has no instances
    ) -> Sequence[Task]:
        """A person's own tasks in file order, then the bundled ones."""
        return chosen(self._found.all, self.title, split, names)

    def problems(self) -> Sequence[Problem]:
        return self._found.problems

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Success rate, over all and by level; see `summary`."""
        return summary(attempts, rules)

    def traits(self, task: Task) -> Traits:
        """Its kind is the level that the data set gives."""
        return Traits(difficulty=task.kind)

    def evidence_of(self, trajectory: Trajectory) -> JsonObject:
        """Actions and screenshots, whoever recorded them."""
        return shown_of(trajectory).evidence

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return self._found.stage(task)

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._found.bundle(task))
