"""The door through which everything else finds WebVoyager: its own data beside the bundled tasks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from webbench.benchmarks.common.live_site_tasks import LiveSiteTasks
from webbench.benchmarks.common.own_and_bundled import chosen, entry_of, splits_of
from webbench.benchmarks.common.shown_to_judge import shown_of
from webbench.benchmarks.webvoyager.scoring.aggregate import BREAKDOWNS, summary
from webbench.benchmarks.webvoyager.scoring.evaluate import RULE_SETS, WebVoyagerEvaluator
from webbench.benchmarks.webvoyager.tasks import DATA_VARIABLE, NAME, load_tasks
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage, Traits
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.aggregates import Attempt, Breakdown
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.trajectory import Trajectory

GET_DATA = (
    "`webbench-tui data get webvoyager` downloads the 643 published ones; "
    f"or name another file or folder with --data or {DATA_VARIABLE}"
)


def create(data: Path | None = None) -> WebVoyager:
    """The benchmark over a task file or its folder, else what `WEBBENCH_DATA_WEBVOYAGER` names."""
    return WebVoyager(benchmark_data(NAME, data))


class WebVoyager:
    """Questions to be answered on fifteen live sites, judged by the answer and the last screenshots."""

    name = NAME
    title = "WebVoyager"
    dialect = "webarena"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 15
    """`max_iter` of the published script; who has not answered by then has failed."""

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = WebVoyagerEvaluator()
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
        """Success rate; see `summary`."""
        return summary(attempts, rules)

    def breakdowns(self) -> Sequence[Breakdown]:
        """By web site."""
        return BREAKDOWNS

    def traits(self, task: Task) -> Traits:  # noqa: ARG002
        """Every task is a question."""
        return Traits(seeks_information=True)

    def evidence_of(self, trajectory: Trajectory) -> JsonObject:
        """Actions and screenshots, whoever recorded them."""
        return shown_of(trajectory).evidence

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        return self._found.stage(task)

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._found.bundle(task))
