"""Loading Mind2Web-Live task files, with what is wrong in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.common.own_and_bundled import LoadedTasks, require_tasks
from webbench.benchmarks.webcanvas.scoring.key_nodes import (
    KeyNode,
    annotated_alternatives,
    annotated_key_nodes,
)
from webbench.benchmarks.webcanvas.scoring.urls import site_label, url_exact_match, url_include_match
from webbench.core.agents.reference import REFERENCE_ACTIONS
from webbench.core.benchmark.benchmark import Problem, Severity
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.task import Task

NAME = "webcanvas"
DATA_VARIABLE = "WEBBENCH_DATA_WEBCANVAS"
SHOWN = 5


def load_tasks(path: Path) -> LoadedTasks:
    """The tasks of one file, or of every `*.json` of a folder; the split is the file's name.

    A task that can't be used becomes a problem. Raises `BadData` where there is no task at all.
    """
    try:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    except OSError as error:
        raise BadData(f"the tasks {path} can't be read: {error.strerror or error}") from error
    loaded = read_task_files(files)
    require_tasks(loaded, f"{path} holds no Mind2Web-Live task", "name a file of tasks, or their folder")
    return LoadedTasks(loaded.tasks, tuple(_summed(loaded.problems)))


def read_task_files(files: Sequence[Path]) -> LoadedTasks:
    """The same for files that may hold no task at all, every problem by itself.

    Raises `BadData` where a file can't be read.
    """
    loaded = [_read(file) for file in files]
    tasks = tuple(task for one in loaded for task in one.tasks)
    problems = tuple(problem for one in loaded for problem in one.problems)
    return LoadedTasks(tasks, (*problems, *_doubled(tasks)))


def _read(path: Path) -> LoadedTasks:
    parsed = read_tasks(path)
    tasks: list[Task] = []
    problems = [problem for problem in parsed.problems if problem.severity == "error"]
    for record in parsed.records:
        try:
            tasks.append(read_task(record.data, split=path.stem))
        except BadData as error:
            problems.append(Problem(parsed.place(record), f"left out: {error}", "error"))
            continue
        problems += [
            Problem(parsed.place(record), f"task {tasks[-1].name}, {told}", severity)
            for severity, told in _all_dirt(record.data)
        ]
    return LoadedTasks(tuple(tasks), tuple(problems))


def read_task(annotation: Json, split: str = "") -> Task:
    """One annotated task; its site is the host of the page on which the first key node was annotated.

    Raises `BadData`.
    """
    if not isinstance(annotation, dict):
        raise BadData("the task is no object")
    index, intent, length = (annotation.get(name) for name in ("index", "task", "reference_task_length"))
    if not isinstance(intent, str) or not intent.strip():
        raise BadData('the task has no text "task"')
    if isinstance(index, bool) or not isinstance(index, int | str):
        raise BadData('the task has no "index"')
    nodes = annotated_key_nodes(annotation)
    if not nodes:
        raise BadData("the task has no key nodes")
    gold: JsonObject = {"key_nodes": [msgspec.to_builtins(node) for node in nodes]}
    if alternatives := annotated_alternatives(annotation, len(nodes)):
        gold["alternatives"] = msgspec.to_builtins(alternatives)
    if isinstance(length, int | float) and not isinstance(length, bool):
        gold["reference_length"] = length
    if REFERENCE_ACTIONS in annotation:
        gold[REFERENCE_ACTIONS] = annotation[REFERENCE_ACTIONS]
    hosts = [_host(node["content"].get("url")) for node in annotation["evaluation"]]
    return Task(
        benchmark=NAME,
        name=str(index),
        intent=intent,
        split=split,
        site=next(filter(None, hosts), ""),
        kind=", ".join(sorted({node.target for node in nodes} - {""})),
        data={
            "hosts": list(dict.fromkeys(filter(None, hosts))),
            **_start(annotation.get("start")),
            **_domain(annotation),
        },
        gold=gold,
    )


def is_address(text: str) -> bool:
    """Whether it is the address of a page of the web."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _start(url: Json) -> JsonObject:
    """Where the episode begins, which only tasks that were recorded here tell."""
    return {"start": url} if isinstance(url, str) and is_address(url) else {}


def _domain(annotation: JsonObject) -> JsonObject:
    """Domain and subdomain as Mind2Web's files have them; the published files of Mind2Web-Live lack both."""
    return {
        name: told
        for name in ("domain", "subdomain")
        if isinstance(told := annotation.get(name), str) and told.strip()
    }


def _host(url: Json) -> str:
    try:
        return urlsplit(url).hostname or "" if isinstance(url, str) else ""
    except ValueError:
        return ""


def _all_dirt(annotation: JsonObject) -> Iterator[tuple[Severity, str]]:
    """Of the key nodes, and of those of each alternative."""
    yield from _dirt(annotation["evaluation"])
    for number, one in enumerate(annotation.get("alternatives", ()), start=1):
        for severity, told in _dirt(one["evaluation"]):
            yield severity, f"alternative {number}, {told}"


def _dirt(nodes: Sequence[JsonObject]) -> Iterator[tuple[Severity, str]]:
    for number, (node, read) in enumerate(
        zip(nodes, annotated_key_nodes({"evaluation": nodes}), strict=True), start=1
    ):
        place = f"key node {number}: "
        if not read.target:
            yield "warning", f'{place}the function "{read.match_function}" is unknown and never matches'
        for told in (*_blanks(read), *_unreachable(read, node["content"].get("url"))):
            yield "note", place + told


def _blanks(node: KeyNode) -> Iterator[str]:
    for name in ("reference_answer", "path"):
        text = getattr(node, name)
        if isinstance(text, str) and text != text.strip():
            harm = "" if name == "path" or node.target == "path" else ", which a comparison doesn't forgive"
            yield f"blanks around its {name}{harm}"


def _unreachable(node: KeyNode, url: Json) -> Iterator[str]:
    """Where the page of the annotation itself wouldn't meet the node."""
    if not isinstance(url, str):
        return
    try:
        if node.target == "url" and node.manner != "semantic":
            compare = url_exact_match if node.manner == "exact" else url_include_match
            if not compare(url, node.reference_answer, node.needed("key")):
                yield "the address of its own annotation doesn't meet it"
        elif node.target in ("path", "value") and site_label(url) != node.needed("netloc"):
            yield f'its site is "{node.netloc}", but its own annotation was made on "{site_label(url)}"'
    except BadData as error:
        yield str(error)


def _summed(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Notes of one kind as one line a file, with the first places; what is worse each by itself."""
    places: dict[tuple[str, str], list[str]] = {}
    for problem in problems:
        if problem.severity != "note":
            yield problem
            continue
        file, _, line = problem.where.rpartition(":")
        place, _, told = problem.message.partition(": ")
        places.setdefault((file, told), []).append(f"line {line}, {place}")
    for (file, told), where in places.items():
        shown = "; ".join(where[:SHOWN]) + ("; …" if len(where) > SHOWN else "")
        count = f"{len(where)} key nodes" if len(where) > 1 else "1 key node"
        yield Problem(file, f"{count}: {told} ({shown})", "note")


def _doubled(tasks: Sequence[Task]) -> Iterator[Problem]:
    for what, counts in (
        ("index", Counter(task.name for task in tasks)),
        ("text", Counter(task.intent for task in tasks)),
    ):
        for value, count in counts.items():
            if count > 1:
                yield Problem(f"{what} {value!r}", f"{count} tasks have it")
