"""Loading `webarena-verified.json`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.task import Task

FILE = "webarena-verified.json"
PLACES = (FILE, f"verified/{FILE}", f"assets/dataset/{FILE}")


class VerifiedTasks(msgspec.Struct, frozen=True):
    """The usable tasks by id in file order, and why others are left out."""

    tasks: dict[int, Task]
    problems: tuple[Problem, ...]


def load_tasks(path: Path) -> dict[int, Task]:
    """Tasks by id, of the file or of a folder that holds it. Raises `BadData` where there is none."""
    return open_tasks(path).tasks


def open_tasks(path: Path) -> VerifiedTasks:
    """The same with what was found on the way. Raises `BadData` where there is no usable task."""
    named = path.expanduser()
    if named.is_dir():
        found = next((named / place for place in PLACES if (named / place).is_file()), None)
        if found is None:
            raise BadData(f"{named} holds no {FILE}")
        named = found
    loaded = read_task_file(named)
    if not loaded.tasks:
        first = loaded.problems[0]
        raise BadData(f"{named} holds no task that can be used: {first.where}: {first.message}")
    return loaded


def read_task_file(file: Path) -> VerifiedTasks:
    """The same for a file that may hold no task at all. Raises `BadData` where it can't be read."""
    parsed = read_tasks(file)
    tasks: dict[int, Task] = {}
    problems = list(parsed.problems)
    for record in parsed.records:
        found = _task(record.data)
        if isinstance(found, str) or int(found.name) in tasks:
            told = found if isinstance(found, str) else f"task {found.name} came earlier"
            problems.append(Problem(parsed.place(record), f"left out: {told}", "error"))
            continue
        tasks[int(found.name)] = found
    return VerifiedTasks(tasks, tuple(problems))


def _task(entry: JsonObject) -> Task | str:
    """The task, or why it can't be one."""
    if not isinstance(entry.get("eval"), list):
        return 'it has no list "eval"'
    number, sites = entry.get("task_id"), entry.get("sites")
    if isinstance(number, bool) or not isinstance(number, int):
        return 'it has no whole number "task_id"'
    if not isinstance(sites, list):
        return 'it has no list "sites"'
    kept: JsonObject = {name: entry.get(name) for name in ("start_urls", "revision", "intent_template_id")}
    return Task(
        benchmark="webarena",
        name=str(number),
        intent=str(entry.get("intent", "")),
        split="verified",
        site=", ".join(map(str, sites)),
        kind=task_type(entry["eval"]),
        template=str(entry.get("intent_template_id", "")),
        data=kept | {"sites": sites},
        gold={"eval": entry["eval"]},
    )


def task_type(evaluators: list[Json]) -> str:
    """ "retrieve", "navigate" or "mutate", "" where no response is expected."""
    for config in evaluators:
        expected = config.get("expected") if isinstance(config, dict) else None
        if isinstance(expected, dict) and "task_type" in expected:
            return str(expected["task_type"]).lower()
    return ""


def expects_failure(task: Task) -> bool:
    """Whether the expected response of a verified task has another status than SUCCESS."""
    configs = task.gold.get("eval")
    for config in configs if isinstance(configs, list) else ():
        expected = config.get("expected") if isinstance(config, dict) else None
        if isinstance(expected, dict) and "status" in expected:
            return bool(str(expected["status"]).upper() != "SUCCESS")
    return False
