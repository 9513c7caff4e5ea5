"""WebCanvas's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from webbench.benchmarks.common.data_sets import DataSets, Form, counted_tasks
from webbench.benchmarks.webcanvas.tasks import read_task_files

TASKS = "Mind2Web-Live tasks"

_KEYS = ("index", "task", "reference_task_length", "evaluation")


family = DataSets(
    "webcanvas", __file__, [Form(TASKS, lambda look: look.has(_KEYS, 3), counted_tasks(read_task_files))]
)
