"""Loading WebArena's tasks from a `test.raw.json`; what is odd about them is reported, never fatal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.common.own_and_bundled import LoadedTasks, require_tasks
from webbench.benchmarks.webarena.soundness import list_problems, task_problems
from webbench.core.agents.reference import REFERENCE_ACTIONS
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task

NAME = "webarena"
FILE = "test.raw.json"
PLACES = (FILE, f"config_files/{FILE}")
DATA_VARIABLE = "WEBBENCH_DATA_WEBARENA"
GET_DATA = (
    "`webbench-tui data get webarena` downloads them; or clone github.com/web-arena-x/webarena and name its "
    f"folder, or its config_files/{FILE}, with --tasks, --data or {DATA_VARIABLE}"
)
_KEPT = (
    *("sites", "start_url", "require_login", "storage_state", "require_reset", "intent_template"),
    "depends_on",
)


def load_tasks(path: Path | None = None) -> LoadedTasks:
    """The tasks of a file (a list, or one task alone), or of a folder that holds `test.raw.json`.

    A folder without that one may hold them in several files, such as the older examples.
    Without a path it is the file or folder that `WEBBENCH_DATA_WEBARENA` names.

    Raises `BadData` where there is no readable file, or no task in it.
    """
    files = task_files(path)
    return require_tasks(read_task_files(files), f"{files[0]} holds no task that can be used", GET_DATA)


def read_task_files(files: Sequence[Path]) -> LoadedTasks:
    """The same for files that may hold no task at all. Raises `BadData` where one can't be read."""
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    left_out = 0
    for parsed in map(read_tasks, files):
        problems += parsed.problems
        left_out += sum(one.severity == "error" and one.where != parsed.name for one in parsed.problems)
        for record in parsed.records:
            where, title = parsed.place(record), _title(record.data)
            found = _task(record.data)
            if isinstance(found, str) or found.name in tasks:
                told = found if isinstance(found, str) else "its id was taken by an earlier task"
                problems.append(Problem(where, f"{title} is left out: {told}", "error"))
                left_out += 1
                continue
            tasks[found.name] = found
            problems += [
                Problem(where, f"{title}: {message}", severity)
                for severity, message in task_problems(record.data)
            ]
    listed = tuple(tasks.values())
    problems += [Problem(files[0].name, message, severity) for severity, message in list_problems(listed)]
    return LoadedTasks(listed, tuple(problems), left_out)


def task_files(path: Path | None) -> list[Path]:
    """One or more. Raises `BadData` where there is none."""
    named = benchmark_data("webarena", path)
    if named is None:
        raise BadData("WebArena's tasks are not set", GET_DATA)
    if named.is_file():
        return [named]
    whole = next((named / place for place in PLACES if (named / place).is_file()), None)
    found = [whole] if whole else sorted(named.glob("*.json"))
    if not found:
        raise BadData(f"{named} holds no {FILE}", GET_DATA)
    return found


def _title(entry: JsonObject) -> str:
    identity = entry.get("task_id")
    return f"task {identity}" if isinstance(identity, int) else "a task"


def _task(entry: JsonObject) -> Task | str:
    """The task, or why it can't be one."""
    identity, gold = entry.get("task_id"), entry.get("eval")
    if not isinstance(identity, int) or isinstance(identity, bool):
        return "it has no whole number as task_id"
    if not isinstance(gold, dict):
        return "it has no object eval to be scored with"
    return Task(
        benchmark=NAME,
        name=str(identity),
        intent=str(entry.get("intent", "")),
        split="test",
        site=" ".join(_texts(entry.get("sites"))),
        kind=" ".join(_texts(gold.get("eval_types"))),
        template=str(entry.get("intent_template_id", "")),
        data=_kept(entry),
        gold=gold | {key: entry[key] for key in (REFERENCE_ACTIONS,) if key in entry},
    )


def _kept(entry: JsonObject) -> JsonObject:
    return {key: entry[key] for key in _KEPT if key in entry}


def _texts(value: Json) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
