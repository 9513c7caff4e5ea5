"""Loading `webarena-verified.json`."""

from __future__ import annotations

import json
from pathlib import Path

from webbench.core import bounded_json
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task

FILE = "webarena-verified.json"
PLACES = (FILE, f"verified/{FILE}", f"assets/dataset/{FILE}")
LARGEST_FILE = 64 * 1024 * 1024


def load_tasks(path: Path) -> dict[int, Task]:
    """Tasks by id, of the file or of a folder that holds it. Raises `BadData`."""
    named = path.expanduser()
    if named.is_dir():
        found = next((named / place for place in PLACES if (named / place).is_file()), None)
        if found is None:
            raise BadData(f"{named} holds no {FILE}")
        named = found
    try:
        with named.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise BadData(f"{named} is too large to be a task file")
        listed = bounded_json.decode(content.decode("utf-8-sig"))
    except OSError as error:
        raise BadData(f"the tasks {named} can't be read: {error.strerror or error}") from error
    except (json.JSONDecodeError, ValueError) as error:
        raise BadData(f"{named} is no JSON: {error}") from error
    if not isinstance(listed, list):
        raise BadData(f"{named} is no list of tasks")
    tasks = [_task(entry, f"{named}, task {number}") for number, entry in enumerate(listed, start=1)]
    return {int(task.name): task for task in tasks}


def _task(entry: Json, where: str) -> Task:
    if not isinstance(entry, dict) or not isinstance(entry.get("eval"), list):
        raise BadData(f'{where} has no list "eval"')
    number, sites = entry.get("task_id"), entry.get("sites")
    if isinstance(number, bool) or not isinstance(number, int) or not isinstance(sites, list):
        raise BadData(f'{where} has no number "task_id" or no list "sites"')
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
