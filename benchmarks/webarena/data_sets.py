"""WebArena's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.data_sets import DataSets, Form, counted_tasks
from webbench.benchmarks.webarena.tasks import read_task_files
from webbench.benchmarks.webarena.verified.tasks import read_task_file
from webbench.core.benchmark.benchmark import Problem
from webbench.core.datasets.data_family import Checked
from webbench.core.datasets.first_look import Look
from webbench.core.errors import BadData

TASKS = "tasks"
VERIFIED = "tasks of WebArena-Verified"

_KEYS = ("task_id", "intent", "intent_template", "intent_template_id", "instantiation_dict", "eval", "sites")
_VERIFIED_KEYS = ("start_urls", "revision")


def _is_task_file(look: Look) -> bool:
    return look.has(_KEYS, 4)


def _is_verified(look: Look) -> bool:
    return _is_task_file(look) and look.has(_VERIFIED_KEYS, 1)


def _check_verified(paths: Sequence[Path]) -> Checked:
    tasks: set[int] = set()
    problems: list[Problem] = []
    for path in paths:
        try:
            loaded = read_task_file(path)
        except BadData as error:
            problems.append(Problem(path.name, str(error), "error"))
            continue
        tasks |= loaded.tasks.keys()
        problems += loaded.problems
    return Checked(len(tasks), tuple(problems))


FORMS = (
    Form(VERIFIED, _is_verified, _check_verified),
    Form(TASKS, _is_task_file, counted_tasks(read_task_files)),
)

family = DataSets("webarena", __file__, FORMS)
