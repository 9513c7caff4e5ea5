"""WebVoyager's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from webbench.benchmarks.common.data_sets import DataSets, Form, counted_tasks
from webbench.benchmarks.webvoyager.tasks import ANSWERS, NAME, read_task_files
from webbench.core.datasets.first_look import Look

TASKS = "WebVoyager tasks"
_KEYS = ("web_name", "id", "ques", "web")


def _fits(look: Look) -> bool:
    """The tasks, or the answers that belong beside them."""
    return look.has(_KEYS, 4) or (look.path.name == ANSWERS and '"answers"' in look.beginning)


family = DataSets(NAME, __file__, [Form(TASKS, _fits, counted_tasks(read_task_files))])
