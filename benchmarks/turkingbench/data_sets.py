"""TurkingBench's data set: where it is published, how its folder is recognised, what is wrong in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.turkingbench.dirt import task_problems
from webbench.benchmarks.turkingbench.splits import BATCH, TEMPLATE, open_folder
from webbench.core.datasets.contract import Checked, DataSet, read_known
from webbench.core.datasets.look import Look
from webbench.core.errors import BadData
from webbench.core.task import Problem

FOLDER = "tasks and splits"


class TurkingBenchData:
    benchmark = "turkingbench"

    def known(self) -> Sequence[DataSet]:
        return read_known(Path(__file__).with_name("data_sets.json"))

    def recognise(self, look: Look) -> str:
        tasks = look.path / "tasks"
        if not look.is_folder or not tasks.is_dir():
            return ""
        directories = (entry for entry in tasks.iterdir() if entry.is_dir())
        found = any((entry / name).is_file() for entry in directories for name in (BATCH, TEMPLATE))
        return FOLDER if found else ""

    def check(self, form: str, paths: Sequence[Path]) -> Checked:  # noqa: ARG002 - there is one form
        tasks = 0
        problems: list[Problem] = []
        for path in paths:
            try:
                folder = open_folder(path)
            except OSError as error:
                raise BadData(f"{path} can't be read: {error.strerror or error}") from error
            found = (*folder.problems, *task_problems(folder))
            tasks += len(folder.names) - sum(
                problem.message.startswith("can't be loaded") for problem in found
            )
            problems += found
        return Checked(tasks, tuple(problems))


family = TurkingBenchData()
