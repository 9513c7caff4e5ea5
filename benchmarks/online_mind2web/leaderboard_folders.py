"""Folders for Online-Mind2Web's leaderboard: for each task `result.json` of its schema v2, and screenshots.

`<task_id>/result.json`: schema_version "online-mind2web-v2", task, task_id, agent_final_answer (text or
null), reference_length (the human's steps, of the task file), action_history of {step from 0, screenshot,
url, action, action_status, thought}; `<task_id>/trajectory/0000.png` and so on. Step 0 is the start, the
last one "TASK_COMPLETE -> ANSWER: …". Source: OSU-NLP-Group/Online-Mind2Web, data/schema_v2 (May 2026).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from webbench.benchmarks.common.submitted_attempts import (
    ONE_A_TASK,
    given_answer,
    known_tasks,
    one_a_task,
    tell_missing,
)
from webbench.benchmarks.online_mind2web.benchmark import create as create_benchmark
from webbench.benchmarks.online_mind2web.tasks import NAME, SPLIT
from webbench.core.action.action import Stop, verb
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Source
from webbench.core.json_types import JsonObject
from webbench.core.observation import Screenshot
from webbench.core.settings.locations import benchmark_data
from webbench.core.store.records import codec
from webbench.core.task import Task
from webbench.core.text.bounded_json import decode
from webbench.core.trajectory import Step, Trajectory, step_words

VERSION = "online-mind2web-v2"
RESULT, SCREENSHOTS = "result.json", "trajectory"
COMPLETE = "TASK_COMPLETE -> ANSWER: "
UNANSWERED = "(no final answer)"
TASKS = 300
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}\Z")
_PICTURE = re.compile(r"\d{4,}\.(png|jpe?g|webp)\Z")


class LeaderboardFolders:
    name = "online-mind2web-submission"
    title = "folders with result.json and screenshots, as Online-Mind2Web's leaderboard takes them"
    ending = ""
    several = True
    places = ONE_A_TASK
    lacks = "pages as trees and HTML, model input and output, times and costs, and scores"

    def write(self, source: Source, path: Path) -> None:
        known = known_tasks(create_benchmark(benchmark_data(NAME, None)), SPLIT)
        attempts = one_a_task(source, NAME, _unsent)
        path.mkdir()
        done = [name for name, one in attempts.items() if _write(source, one, known.get(name), path)]
        if not done:
            why = "; ".join(source.told.left_out) or "there is none"
            raise BadData(f"no episode of Online-Mind2Web can be handed in: {why}")
        tell_missing(source, done, known, TASKS, "tasks")

    def count_written(self, path: Path) -> Mapping[str, int]:
        """Folders and screenshots."""
        return {
            "episodes": len(list(path.glob(f"*/{RESULT}"))),
            "pictures": len(list(path.glob(f"*/{SCREENSHOTS}/*"))),
        }


def create() -> LeaderboardFolders:
    """The entry point."""
    return LeaderboardFolders()


def _unsent(task: Task) -> str:
    return "" if task.split in ("", SPLIT) else "a bundled task, which the leaderboard doesn't have"


def _write(source: Source, trajectory: Trajectory, known: Task | None, path: Path) -> bool:
    """The folder of an episode; False where it can't be handed in, which is counted."""
    task = known or trajectory.header.task
    length = task.gold.get("reference_length") or trajectory.header.task.gold.get("reference_length")
    if not isinstance(length, int) or not _ID.match(task.name):
        source.told.leave_out("a task whose human reference length isn't known: install the task file")
        return False
    shown = list(_steps_with_pictures(source, trajectory))
    if any(picture is None for _, picture in shown):
        source.told.leave_out("an episode in which a step has no screenshot")
        return False
    answer = given_answer(trajectory)
    if answer is None:
        source.told.lose("an answer: an episode ended without one, and has none in its result")
    folder = path / task.name
    (folder / SCREENSHOTS).mkdir(parents=True)
    history: list[JsonObject] = []
    for number, (step, picture) in enumerate(shown):
        assert picture is not None
        name = f"{number:04}.{'jpg' if picture.format == 'jpeg' else picture.format}"
        (folder / SCREENSHOTS / name).write_bytes(picture.data)
        history.append(_entry(number, step, name, answer))
    result = {
        "schema_version": VERSION,
        "task": task.intent,
        "task_id": task.name,
        "agent_final_answer": answer,
        "reference_length": length,
        "action_history": history,
    }
    (folder / RESULT).write_bytes(codec.encode(result) + b"\n")
    require_result(folder)
    source.told.rows += 1
    return True


def _steps_with_pictures(
    source: Source, trajectory: Trajectory
) -> Iterator[tuple[Step | None, Screenshot | None]]:
    """The start, what was done, and the end (None), each with the screenshot after it.

    An answer changes nothing on a page, so that the end has the picture before it.
    """
    last: Screenshot | None = None
    for step in trajectory.steps:
        if isinstance(step.action, Stop) or (step.index and not step.acted):
            continue
        last = source.picture(trajectory, step)
        yield step, last
    yield None, last


def _entry(number: int, step: Step | None, picture: str, answer: str | None) -> JsonObject:
    if step is None:
        told, status = f"{COMPLETE}{answer or UNANSWERED}", None
    elif step.index == 0:
        told, status = f"page -> NAVIGATE -> {step.url or 'the start page'}", None
    else:
        status = "SUCCESS" if step.ok else "FAILED"
        name = verb(step.action).upper() if step.action is not None else "ACTION"
        told = f"{name} -> {step_words(step)} | {status}"
    return {
        "step": number,
        "screenshot": picture,
        "url": (step.url or None) if step is not None else None,
        "action": told,
        "action_status": status,
        "thought": (step.reasoning or None) if step is not None else None,
    }


def require_result(folder: Path) -> None:
    """Raises `BadData` where the folder of a task is not as schema v2 has it."""
    place = folder / RESULT
    result = decode(place.read_bytes())
    wrong = [*_faults(result, folder)] if isinstance(result, dict) else ["it is no object"]
    if wrong:
        raise BadData(f"{place} is not as {VERSION} has it: {'; '.join(wrong[:3])}")


def _faults(result: JsonObject, folder: Path) -> Iterator[str]:
    if result.get("schema_version") != VERSION or result.get("task_id") != folder.name:
        yield "its version or its task is another one"
    if not result.get("task") or not isinstance(result.get("reference_length"), int):
        yield "no task, or no reference length"
    history = result.get("action_history")
    if not isinstance(history, list) or not history:
        yield "no action_history"
        return
    for number, entry in enumerate(history):
        if entry.get("step") != number or not entry.get("action") or "thought" not in entry:
            yield f"step {number} lacks its number, action or thought"
        name = entry.get("screenshot")
        if (
            not isinstance(name, str)
            or not _PICTURE.match(name)
            or not (folder / SCREENSHOTS / name).is_file()
        ):
            yield f"step {number} has no screenshot"
        status = entry.get("action_status")
        if status and not entry["action"].endswith(f"| {status}"):
            yield f"step {number} tells another status in its action"
    answer, last = result.get("agent_final_answer"), history[-1]["action"]
    if last.removeprefix(COMPLETE) == last or (
        answer and json.dumps(answer) != json.dumps(last[len(COMPLETE) :])
    ):
        yield "the last step doesn't give the answer"
