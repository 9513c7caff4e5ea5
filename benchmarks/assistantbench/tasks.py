"""Loading AssistantBench's task files: JSON lines, one question each (or a JSON list of them)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from webbench.benchmarks.assistantbench.fanoutqa import as_question, is_fanoutqa
from webbench.benchmarks.assistantbench.scoring.comparison_result import kind_of
from webbench.benchmarks.common.own_and_bundled import LoadedTasks, require_tasks
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.task import SOLUTION, Task
from webbench.core.text.plural import counted

DATA_VARIABLE = "WEBBENCH_DATA_ASSISTANTBENCH"
GET_DATA = f"name a task file or its folder with --tasks or {DATA_VARIABLE}"
ENDINGS = (".jsonl", ".json")
LONGEST_ID, LONGEST_TEXT = 200, 20_000
"""Characters; the longest question that was published has a few hundred."""
_TEXTS = ("task", "set", "difficulty", "time_dependency", "collection", "browsergym_task", "explanation")
_ADDRESS = re.compile(r"https?://\S+")
MOST_PAGES = 100


def load_tasks(path: Path) -> LoadedTasks:
    """The tasks of a file, or of every .jsonl and .json file that lies directly in a folder.

    A task's name is its id, its split the file's `set`, its kind the difficulty; its gold is
    {"answer": text, list, or None where it isn't public}, with `solution` where the file tells where the
    answer can be verified (`gold_url`) and how the task is solved (`explanation`; section 3.2 of the
    paper). Lines that can't be used become problems.
    Rows of FanOutQA's file become tasks of the split `fanoutqa`; those that the paper leaves out are counted.
    Raises `BadData` where there is no readable file, and where none of it is a task.
    """
    path = path.expanduser()
    loaded = read_task_files(_files(path))
    return require_tasks(loaded, f"{path} holds no task that can be used", GET_DATA)


def read_task_files(files: Sequence[Path]) -> LoadedTasks:
    """The same for files that may hold no task at all. Raises `BadData` where one can't be read."""
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for file in files:
        parsed = read_tasks(file)
        problems += parsed.problems
        left_out: Counter[str] = Counter()
        for record in parsed.records:
            row = as_question(record.data) if is_fanoutqa(record.data) else record.data
            if isinstance(row, str):
                left_out[row] += 1
                continue
            task = _task(row, parsed.place(record), tasks, problems)
            if task is not None:
                tasks[task.name] = task
        problems += [
            Problem(file.name, f"{counted(number, 'question')} left out: {why}", "note")
            for why, number in left_out.items()
        ]
    return LoadedTasks(tuple(tasks.values()), tuple(problems))


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in ENDINGS and file.is_file())
    if not files:
        raise BadData(f"{path} holds no {' or '.join(ENDINGS)} file", GET_DATA)
    return files


def _task(row: JsonObject, place: str, known: dict[str, Task], problems: list[Problem]) -> Task | None:
    """The task of one line; what is wrong with the line is added to `problems`."""
    complaint = _unusable(row, known)
    if complaint:
        problems.append(Problem(place, f"{complaint}: the task is not used", "error"))
        return None
    wrong = {name: why for name in _TEXTS if (why := _wrong_text(row.get(name)))}
    texts = {name: row[name] for name in _TEXTS if row.get(name) is not None and name not in wrong}
    problems += [Problem(place, f'"{name}" {why}: left out') for name, why in wrong.items()]
    if not texts.get("task"):
        problems.append(Problem(place, "no task text: its answer can be scored, but nobody can be asked it"))
    return Task(
        benchmark="assistantbench",
        name=row["id"],
        intent=texts.get("task", ""),
        split=texts.get("set", ""),
        kind=texts.get("difficulty", ""),
        data=_kept(row, ("time_dependency", "collection", "browsergym_task"), texts),
        gold={"answer": row["answer"], **_solution(row, texts, place, problems)},
    )


def _solution(row: JsonObject, texts: dict[str, str], place: str, problems: list[Problem]) -> JsonObject:
    """Where the answer can be verified and how the task is solved, as far as the line tells."""
    told = row.get("gold_url")
    lines: list[Json] = told if isinstance(told, list) else [told] if told else []
    pages = [
        page for line in lines if isinstance(line, str) for page in _ADDRESS.findall(line[:LONGEST_TEXT])
    ]
    if lines and not pages:
        problems.append(Problem(place, '"gold_url" holds no web address: left out'))
    if len(pages) > MOST_PAGES:
        problems.append(Problem(place, f'"gold_url" has {len(pages):,} addresses, {MOST_PAGES} are kept'))
    solution: JsonObject = {}
    if pages:
        solution["pages"] = list[Json](dict.fromkeys(pages[:MOST_PAGES]))
    if texts.get("explanation"):
        solution["explanation"] = texts["explanation"]
    return {SOLUTION: solution} if solution else {}


def _wrong_text(value: Json) -> str:
    """Why a value can't be one of the texts, "" where it can or is absent."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"is {kind_of(value)} and no text"
    too_long = len(value) > LONGEST_TEXT
    return f"has {len(value):,} characters, at most {LONGEST_TEXT:,} are possible" if too_long else ""


def _unusable(row: JsonObject, known: dict[str, Task]) -> str:
    """Why a line is no task, "" where it is one."""
    identity = row.get("id")
    if not isinstance(identity, str) or not identity:
        return "no id" if identity in (None, "") else f"the id is {kind_of(identity)} and no text"
    if len(identity) > LONGEST_ID:
        return f"the id has {len(identity):,} characters, at most {LONGEST_ID} are possible"
    if identity in known:
        return f'a second task with the id "{identity}"'
    if "answer" not in row:
        return 'no "answer" (null says that it is not public)'
    return unusable_gold(row["answer"])


def unusable_gold(answer: Json) -> str:
    """Why a gold answer can't be one, "" where it can: a text, a list, or null for one that isn't public."""
    if answer is None or isinstance(answer, str | list):
        return ""
    return f"the gold answer is {kind_of(answer)}, and neither a text nor a list"


def _kept(row: JsonObject, names: Iterable[str], texts: dict[str, str]) -> JsonObject:
    return {name: texts[name] for name in names if name in texts and row[name]}
