"""AssistantBench's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.assistantbench.tasks import read_task_files
from webbench.core.datasets.contract import Checked, DataSet, read_known
from webbench.core.datasets.look import Look

TASKS = "questions"

_KEYS = (
    "id",
    "task",
    "answer",
    "set",
    "difficulty",
    "gold_url",
    "explanation",
    "metadata",
    "time_dependency",
)
_PREDICTED = ("gold_answer", "score", "has_ans")
"""What a file of predictions has, and a file of tasks hasn't."""


class AssistantBenchData:
    benchmark = "assistantbench"

    def known(self) -> Sequence[DataSet]:
        return read_known(Path(__file__).with_name("data_sets.json"))

    def recognise(self, look: Look) -> str:
        return TASKS if look.has(_KEYS, 3) and not look.has(_PREDICTED, 1) else ""

    def check(self, form: str, paths: Sequence[Path]) -> Checked:  # noqa: ARG002 - there is one form
        loaded = read_task_files(paths)
        return Checked(len(loaded.tasks), loaded.problems)


family = AssistantBenchData()
