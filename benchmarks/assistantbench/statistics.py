"""AssistantBench's tasks in numbers: sets, collection, websites (section 3.3), time dependency (6.4)."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from webbench.benchmarks.assistantbench.fanoutqa import SPLIT
from webbench.benchmarks.assistantbench.scoring.question import JSON, gold_lines, read_gold
from webbench.benchmarks.assistantbench.scoring.rules import PAPER
from webbench.benchmarks.assistantbench.tasks import GET_DATA, load_tasks
from webbench.core.analysis.printed.data_rows import data_row, mean_median_largest, shares_by_name
from webbench.core.analysis.printed.filled_table import Evidence, Filled, FilledRow
from webbench.core.analysis.printed.printed_table import Filler
from webbench.core.errors import BadData
from webbench.core.task import SOLUTION, Task

ALL_TASKS = 214
FEWER = "{count} tasks are at hand, the paper has 214."
METADATA = ("assistantbench.csv", "browsergym_metadata/assistantbench.csv")
"""BrowserGym's list of all 214 tasks without their texts, where somebody put it beside the tasks."""
LARGEST_FILE = 4 * 1024 * 1024


def tasks_in_all(evidence: Evidence) -> Filled:
    """Section 3.3: tasks, the dev set, and where the answers can be verified."""
    tasks, left_out = _tasks(evidence)
    pages = {page for task in tasks for page in _pages(task)}
    hosts = {host for page in pages if (host := _host(page))}
    values: dict[str, int | None] = {
        "tasks": len(tasks),
        "development set": sum(task.split == "dev" for task in tasks),
        "test set": sum(task.split == "test" for task in tasks),
        "web pages with the answers": len(pages) or None,
        "websites": len(hosts) or None,
    }
    rows = [data_row(name, values=(value,)) for name, value in values.items()]
    without = sum(not _pages(task) for task in tasks)
    why = [FEWER.format(count=len(tasks))] if len(tasks) != ALL_TASKS else []
    why += [f"{without} of {len(tasks)} tasks tell no page with the answer."] if without else []
    return _filled(tasks, rows, left_out, tuple(why))


def collections(evidence: Evidence) -> Filled:
    """Section 3.3: tasks by how they were collected, where the file tells (`collection`)."""
    tasks, left_out = _tasks(evidence)
    rows = shares_by_name(str(task.data.get("collection", "")).casefold() for task in tasks)
    return _filled(tasks, rows, left_out)


def times(evidence: Evidence) -> Filled:
    """Section 6.4: tasks by how much the answer depends on time."""
    tasks, left_out = _tasks(evidence)
    listed = _listed(evidence.data)
    if listed:
        rows = shares_by_name(row.get("time_dependency", "").casefold() for row in listed)
        return _filled(tasks, rows, left_out, (f"ours are the {len(listed)} tasks of BrowserGym's list.",))
    return _filled(
        tasks,
        shares_by_name(str(task.data.get("time_dependency", "")).casefold() for task in tasks),
        left_out,
    )


def difficulties(evidence: Evidence) -> Filled:
    """Tasks by difficulty (section 6.1 tells how it was found), of the list of all tasks if it is there."""
    tasks, left_out = _tasks(evidence)
    listed = _listed(evidence.data)
    known = [row.get("difficulty", "") for row in listed] if listed else [task.kind for task in tasks]
    why = (f"ours are the {len(listed)} tasks of BrowserGym's list.",) if listed else ()
    return _filled(tasks, shares_by_name(name.casefold() for name in known), left_out, why)


def answers(evidence: Evidence) -> Filled:
    """Section 3.4: tasks by the type of their gold answer; several answers in brackets."""
    tasks, left_out = _tasks(evidence)
    return _filled(tasks, shares_by_name(map(_answer_type, tasks)), left_out)


def lengths(evidence: Evidence) -> Filled:
    """Words of the questions, and gold answers of a task."""
    tasks, left_out = _tasks(evidence)
    words = [len(task.intent.split()) for task in tasks if task.intent]
    golds = [len(gold_lines(gold)) for task in tasks if (gold := task.gold.get("answer")) is not None]
    rows = [
        data_row(name, values=mean_median_largest(of))
        for name, of in (("words of a question", words), ("answers of a task", golds))
    ]
    return _filled(tasks, rows, left_out)


DATA_FILLS = {
    "section 3.3": Filler("the task files", tasks_in_all, describes_data=True),
    "figure 3": Filler("the task files", collections, describes_data=True),
    "section 6.4": Filler("the task files", times, describes_data=True),
    "by difficulty": Filler("the task files", difficulties, describes_data=True),
    "by answer": Filler("the task files", answers, describes_data=True),
    "lengths": Filler("the task files", lengths, describes_data=True),
}


def _tasks(evidence: Evidence) -> tuple[Sequence[Task], Mapping[str, int]]:
    """Its own tasks, and what else is in the files: FanOutQA's questions are none of the paper's 214."""
    if evidence.data is None:
        return (), {}
    loaded = load_tasks(evidence.data)
    own = [task for task in loaded.tasks if task.split != SPLIT]
    wrong = sum(one.severity == "error" for one in loaded.problems)
    return own, {"lines that are no task": wrong, "questions of FanOutQA": len(loaded.tasks) - len(own)}


def _listed(data: Path | None) -> list[dict[str, str]]:
    """Rows of BrowserGym's list; none where it isn't beside the tasks. Raises `BadData`."""
    files = [data / name for name in METADATA] if data is not None and data.is_dir() else []
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        return []
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise BadData(f"{file} is larger than {LARGEST_FILE // 1024**2} MiB")
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = list(csv.DictReader(lines, restval=""))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadData(f"{file} can't be read: {error}") from error
    return [{str(key): str(value) for key, value in row.items()} for row in rows]


def _pages(task: Task) -> Sequence[str]:
    return tuple(task.gold.get(SOLUTION, {}).get("pages", ()))


def _host(page: str) -> str:
    try:
        return (urlsplit(page).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _answer_type(task: Task) -> str:
    gold = task.gold.get("answer")
    if gold is None:
        return "not public"
    try:
        lines = gold_lines(gold)
        kind = read_gold(lines, PAPER).kind
    except BadData:
        return "not readable"
    return f"{kind} (several)" if len(lines) > 1 and kind == JSON else kind


def _filled(
    tasks: Sequence[Task],
    rows: Sequence[FilledRow],
    left_out: Mapping[str, int],
    why: tuple[str, ...] = (),
) -> Filled:
    if not tasks:
        return Filled(missing=GET_DATA)
    return Filled(rows=tuple(rows), not_comparable=why, left_out=dict(left_out))
