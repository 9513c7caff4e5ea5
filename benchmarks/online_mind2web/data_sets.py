"""Online-Mind2Web's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from webbench.benchmarks.common.data_sets import DataSets, Form, counted_tasks
from webbench.benchmarks.online_mind2web.tasks import NAME, read_task_files

TASKS = "Online-Mind2Web tasks"
_KEYS = ("task_id", "confirmed_task", "website", "reference_length", "level")

family = DataSets(
    NAME, __file__, [Form(TASKS, lambda look: look.has(_KEYS, 4), counted_tasks(read_task_files))]
)
