"""AssistantBench's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from webbench.benchmarks.assistantbench.fanoutqa import KEYS
from webbench.benchmarks.assistantbench.tasks import read_task_files
from webbench.benchmarks.common.data_sets import DataSets, Form, counted_tasks
from webbench.core.datasets.first_look import Look

TASKS = "questions"
FANOUTQA = "FanOutQA questions"

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


def _is_task_file(look: Look) -> bool:
    return look.has(_KEYS, 3) and not look.has(_PREDICTED, 1)


def _is_fanoutqa(look: Look) -> bool:
    return look.has(KEYS, len(KEYS))


_CHECK = counted_tasks(read_task_files)
family = DataSets(
    "assistantbench", __file__, [Form(FANOUTQA, _is_fanoutqa, _CHECK), Form(TASKS, _is_task_file, _CHECK)]
)
