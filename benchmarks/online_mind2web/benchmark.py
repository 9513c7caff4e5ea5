"""The door through which everything else finds Online-Mind2Web: its own data beside the bundled tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.live_site_tasks import LiveSiteBenchmark
from webbench.benchmarks.online_mind2web.scoring.aggregate import summary
from webbench.benchmarks.online_mind2web.scoring.evaluate import RULE_SETS, OnlineMind2WebEvaluator
from webbench.benchmarks.online_mind2web.tasks import DATA_VARIABLE, NAME, load_tasks
from webbench.core.benchmark.benchmark import Traits
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

GET_DATA = (
    "`webbench-tui data get online-mind2web` says how to get the 300 published tasks; "
    f"name the file with --data or {DATA_VARIABLE}"
)


def create(data: Path | None = None) -> OnlineMind2Web:
    """The benchmark over a task file or its folder, else what `WEBBENCH_DATA_ONLINE_MIND2WEB` names."""
    return OnlineMind2Web(benchmark_data(NAME, data))


class OnlineMind2Web(LiveSiteBenchmark):
    """Tasks on live sites, each from the page it names, judged by WebJudge or by people."""

    name = NAME
    title = "Online-Mind2Web"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 50
    """Twice the 24 of the longest reference; the paper sets none."""

    def __init__(self, data: Path | None) -> None:
        super().__init__(data, load_tasks, GET_DATA)
        self.evaluator = OnlineMind2WebEvaluator()

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Success rate, over all and by level; see `summary`."""
        return summary(attempts, rules)

    def traits(self, task: Task) -> Traits:
        """Its kind is the level that the data set gives."""
        return Traits(difficulty=task.kind)
