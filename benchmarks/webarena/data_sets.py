"""WebArena's data sets: which are published, how their files are recognised, what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.webarena.tasks import read_task_files
from webbench.benchmarks.webarena.verified.tasks import read_task_file
from webbench.core.datasets.contract import Checked, DataSet, read_known
from webbench.core.datasets.look import Look
from webbench.core.errors import BadData
from webbench.core.task import Problem

TASKS = "tasks"
VERIFIED = "tasks of WebArena-Verified"

_KEYS = ("task_id", "intent", "intent_template", "intent_template_id", "instantiation_dict", "eval", "sites")
_VERIFIED_KEYS = ("start_urls", "revision")


class WebArenaData:
    benchmark = "webarena"

    def known(self) -> Sequence[DataSet]:
        return read_known(Path(__file__).with_name("data_sets.json"))

    def recognise(self, look: Look) -> str:
        if not look.has(_KEYS, 4):
            return ""
        return VERIFIED if look.has(_VERIFIED_KEYS, 1) else TASKS

    def check(self, form: str, paths: Sequence[Path]) -> Checked:
        return _verified(paths) if form == VERIFIED else _original(paths)


def _original(paths: Sequence[Path]) -> Checked:
    loaded = read_task_files(paths)
    return Checked(len(loaded.tasks), loaded.problems)


def _verified(paths: Sequence[Path]) -> Checked:
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


family = WebArenaData()
