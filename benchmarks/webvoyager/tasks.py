"""Loading WebVoyager's tasks: JSON lines of web_name, id, ques, web, with `reference_answer.json` beside.

The answers are one object: `{web_name: {notice, answers: [{id, type, ans}]}}`, whose id is the number behind
the "--" of a task's id, and whose type is "golden" (stays right) or "possible" (one of many, or of its day).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.live_site_tasks import START, start_address
from webbench.benchmarks.common.own_and_bundled import LoadedTasks, require_tasks
from webbench.benchmarks.common.task_file import required_text
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.task import Task
from webbench.core.text import bounded_json

NAME = "webvoyager"
DATA_VARIABLE = "WEBBENCH_DATA_WEBVOYAGER"
ANSWERS = "reference_answer.json"
GOLDEN, POSSIBLE = "golden", "possible"
LONGEST_NAME, LONGEST_TEXT = 200, 20_000
"""Characters."""
LARGEST_ANSWERS = 64 * 1024 * 1024


class Answer(msgspec.Struct, frozen=True):
    """A reference answer; `notice` is what its site's answers are to be read with."""

    type: str
    text: str
    notice: str = ""


def load_tasks(path: Path) -> LoadedTasks:
    """The tasks of a .jsonl file, or of those of a folder; the answers lie in the same folder.

    A task's name is its id, its split the file's name, its site the web_name, its kind the type of its
    reference answer, "" without one. What can't be used becomes a problem. Raises `BadData` where there is no
    task at all.
    """
    path = path.expanduser()
    try:
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        answers = (path if path.is_dir() else path.parent) / ANSWERS
        beside = [answers] if answers.is_file() else []
    except OSError as error:
        raise BadData(f"the tasks {path} can't be read: {error.strerror or error}") from error
    loaded = read_task_files([*files, *beside])
    hint = "name WebVoyager_data.jsonl or its folder"
    return require_tasks(loaded, f"{path} holds no task of WebVoyager", hint)


def read_task_files(files: Sequence[Path]) -> LoadedTasks:
    """The same for files that may hold no task at all, the answers among them.

    Raises `BadData` where one can't be read.
    """
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    answers: dict[str, Answer] = {}
    for file in files:
        if file.name == ANSWERS:
            answers |= _answers(file, problems)
    for file in files:
        if file.name != ANSWERS:
            _read(file, answers, tasks, problems)
    if answers:
        without = [name for name in tasks if name not in answers]
        lost = [name for name in answers if name not in tasks]
        problems += [
            Problem(ANSWERS, f"{len(names)} {what}, the first one is {names[0]}", "note")
            for names, what in ((without, "tasks have no answer in it"), (lost, "answers belong to no task"))
            if names and tasks
        ]
    return LoadedTasks(tuple(tasks.values()), tuple(problems))


def _read(file: Path, answers: Mapping[str, Answer], tasks: dict[str, Task], problems: list[Problem]) -> None:
    parsed = read_tasks(file)
    problems += parsed.problems
    for record in parsed.records:
        try:
            task = read_task(record.data, answers, split=file.stem)
            if task.name in tasks:
                raise BadData(f'a second task with the id "{task.name}"')
        except BadData as error:
            problems.append(Problem(parsed.place(record), f"left out: {error}", "error"))
            continue
        tasks[task.name] = task


def read_task(row: JsonObject, answers: Mapping[str, Answer], split: str = "") -> Task:
    """One task with its reference answer, where there is one. Raises `BadData` for what can't be one."""
    name, intent, site = (required_text(row, key) for key in ("id", "ques", "web_name"))
    if len(name) > LONGEST_NAME or len(intent) > LONGEST_TEXT or len(site) > LONGEST_NAME:
        raise BadData("its id or its text is far too long")
    answer = answers.get(name)
    return Task(
        benchmark=NAME,
        name=name,
        intent=intent,
        split=split,
        site=site,
        kind=answer.type if answer else "",
        data={START: start_address(row.get("web"), "web")},
        gold={"answer": answer.text, "type": answer.type, "notice": answer.notice} if answer else {},
    )


def _answers(file: Path, problems: list[Problem]) -> dict[str, Answer]:
    """By the id of the task; what has another shape is a problem. Raises `BadData` for no JSON object."""
    try:
        if file.stat().st_size > LARGEST_ANSWERS:
            raise BadData(f"{file} is too large for reference answers")
        found = bounded_json.decode(file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadData(f"the answers {file} can't be read: {error}") from error
    if not isinstance(found, dict):
        raise BadData(f"{file} holds no JSON object of answers")
    answers: dict[str, Answer] = {}
    for site, told in found.items():
        listed = told.get("answers") if isinstance(told, dict) else None
        if not isinstance(told, dict) or not isinstance(listed, list):
            problems.append(Problem(ANSWERS, f'"{site[:60]}" has no list "answers": left out', "error"))
            continue
        notice = told.get("notice")
        for one in _usable(site, listed, problems):
            key = f"{site}--{one['id']}"
            answers[key] = Answer(one["type"], one["ans"], notice.strip() if isinstance(notice, str) else "")
    return answers


def _usable(site: str, listed: Sequence[object], problems: list[Problem]) -> Iterator[JsonObject]:
    for at, one in enumerate(listed):
        usable = (
            isinstance(one, dict)
            and isinstance(one.get("id"), int | str)
            and isinstance(one.get("ans"), str)
            and one.get("type") in (GOLDEN, POSSIBLE)
        )
        if usable and isinstance(one, dict):
            yield one
        else:
            problems.append(
                Problem(ANSWERS, f'answer {at} of "{site[:60]}" can\'t be used: left out', "error")
            )
