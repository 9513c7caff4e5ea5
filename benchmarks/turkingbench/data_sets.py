"""TurkingBench's data set: where it is published, how its folder is recognised, what is wrong in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.data_sets import DataSets, Form
from webbench.benchmarks.turkingbench.soundness import task_problems
from webbench.benchmarks.turkingbench.splits import BATCH, TEMPLATE, open_folder
from webbench.core.benchmark.benchmark import Problem
from webbench.core.datasets.data_family import Checked
from webbench.core.datasets.first_look import Look
from webbench.core.errors import BadData

FOLDER = "tasks and splits"


def _is_data_folder(look: Look) -> bool:
    tasks = look.path / "tasks"
    if not look.is_folder or not tasks.is_dir():
        return False
    directories = (entry for entry in tasks.iterdir() if entry.is_dir())
    return any((entry / name).is_file() for entry in directories for name in (BATCH, TEMPLATE))


def _check(paths: Sequence[Path]) -> Checked:
    tasks = 0
    problems: list[Problem] = []
    for path in paths:
        try:
            folder = open_folder(path)
        except OSError as error:
            raise BadData(f"{path} can't be read: {error.strerror or error}") from error
        found = (*folder.problems, *task_problems(folder))
        tasks += len(folder.names) - sum(problem.message.startswith("can't be loaded") for problem in found)
        problems += found
    return Checked(tasks, tuple(problems))


family = DataSets("turkingbench", __file__, [Form(FOLDER, _is_data_folder, _check)])
