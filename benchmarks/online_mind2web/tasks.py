"""Loading Online-Mind2Web's task file.

It is a JSON list of objects: task_id, confirmed_task, website, reference_length, level.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.live_site_tasks import START, host_of, start_address
from webbench.benchmarks.common.own_and_bundled import LoadedTasks, require_tasks
from webbench.benchmarks.common.task_file import required_text
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.task import Task

NAME = "online-mind2web"
DATA_VARIABLE = "WEBBENCH_DATA_ONLINE_MIND2WEB"
LEVELS = ("easy", "medium", "hard")
"""By the steps of the reference: up to 5, 6 to 10, 11 and more (paper, section 3)."""
SPLIT = "test"
"""The published file is one split."""
ENDINGS = (".json", ".jsonl")
LONGEST_NAME, LONGEST_TEXT = 200, 20_000
"""Characters."""


def load_tasks(path: Path) -> LoadedTasks:
    """The tasks of a file, or of the .json and .jsonl files of a folder.

    A task's name is its id, its site the website's host, its kind the level. What can't be used becomes a
    problem. Raises `BadData` where there is no task at all.
    """
    path = path.expanduser()
    try:
        files = sorted(one for one in path.iterdir() if one.suffix in ENDINGS) if path.is_dir() else [path]
    except OSError as error:
        raise BadData(f"the tasks {path} can't be read: {error.strerror or error}") from error
    otherwise = f"{path} holds no task of Online-Mind2Web"
    return require_tasks(read_task_files(files), otherwise, "name Online_Mind2Web.json")


def read_task_files(files: Sequence[Path]) -> LoadedTasks:
    """The same for files that may hold no task at all. Raises `BadData` where one can't be read."""
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for parsed in map(read_tasks, files):
        problems += parsed.problems
        for record in parsed.records:
            place = parsed.place(record)
            try:
                task = read_task(record.data)
                if task.name in tasks:
                    raise BadData(f'a second task with the id "{task.name}"')
            except BadData as error:
                problems.append(Problem(place, f"left out: {error}", "error"))
                continue
            tasks[task.name] = task
            problems += [Problem(place, f"task {task.name}: {told}") for told in _dirt(record.data)]
    return LoadedTasks(tuple(tasks.values()), tuple(problems))


def read_task(row: JsonObject) -> Task:
    """One task. Raises `BadData` for what can't be one."""
    name, intent = (required_text(row, key) for key in ("task_id", "confirmed_task"))
    if len(name) > LONGEST_NAME or len(intent) > LONGEST_TEXT:
        raise BadData("its id or its text is far too long")
    start = start_address(row.get("website"), "website")
    length, level = row.get("reference_length"), row.get("level")
    return Task(
        benchmark=NAME,
        name=name,
        intent=intent,
        split=SPLIT,
        site=host_of(start),
        kind=level if isinstance(level, str) and level in LEVELS else "",
        data={START: start},
        gold={"reference_length": length} if _is_length(length) else {},
    )


def _is_length(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _dirt(row: JsonObject) -> list[str]:
    told = []
    if row.get("level") not in LEVELS:
        told.append(f"its level is none of {', '.join(LEVELS)}: left out")
    if not _is_length(row.get("reference_length")):
        told.append('its "reference_length" is no number of steps: left out')
    return told
