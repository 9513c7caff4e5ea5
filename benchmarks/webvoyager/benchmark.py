"""The door through which everything else finds WebVoyager: its own data beside the bundled tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.live_site_tasks import LiveSiteBenchmark
from webbench.benchmarks.webvoyager.scoring.aggregate import BREAKDOWNS, summary
from webbench.benchmarks.webvoyager.scoring.evaluate import RULE_SETS, WebVoyagerEvaluator
from webbench.benchmarks.webvoyager.tasks import DATA_VARIABLE, NAME, load_tasks
from webbench.core.benchmark.benchmark import Traits
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt, Breakdown
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

GET_DATA = (
    "`webbench-tui data get webvoyager` downloads the 643 published ones; "
    f"or name another file or folder with --data or {DATA_VARIABLE}"
)


def create(data: Path | None = None) -> WebVoyager:
    """The benchmark over a task file or its folder, else what `WEBBENCH_DATA_WEBVOYAGER` names."""
    return WebVoyager(benchmark_data(NAME, data))


class WebVoyager(LiveSiteBenchmark):
    """Questions to be answered on fifteen live sites, judged by the answer and the last screenshots."""

    name = NAME
    title = "WebVoyager"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 15
    """`max_iter` of the published script; who has not answered by then has failed."""

    def __init__(self, data: Path | None) -> None:
        super().__init__(data, load_tasks, GET_DATA)
        self.evaluator = WebVoyagerEvaluator()

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """Success rate; see `summary`."""
        return summary(attempts, rules)

    def breakdowns(self) -> Sequence[Breakdown]:
        """By web site."""
        return BREAKDOWNS

    def traits(self, task: Task) -> Traits:
        """Every task is a question."""
        return Traits(seeks_information=True)
