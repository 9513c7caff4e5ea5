"""All tasks there are: of the user's data in its editions, and of the bundles, each under its own name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.own_and_bundled import LoadedTasks, loaded_or_problem
from webbench.benchmarks.webarena.subsets import Subsets, read_subsets
from webbench.benchmarks.webarena.tasks import PLACES, read_task_files, task_files
from webbench.benchmarks.webarena.verified import tasks as verified
from webbench.core.benchmark.benchmark import Problem
from webbench.core.benchmark.bundle import Bundle
from webbench.core.task import Task

TEST, VERIFIED, EXAMPLES = "test", "verified", "examples"
EXAMPLE_PLACES = ("examples", "config_files/examples")


class Collection(msgspec.Struct, frozen=True):
    """Tasks by name in the order in which they are listed, and what is to be known about their files.

    Names: the task id of the original edition and of a bundle; "verified.<id>" and "example.<id>" of the
    others, whose ids are the same ones again.

    Attributes:
        bundled: the bundle of each task that comes from one.
        subsets: names of the tasks of each split that is a part of another.
    """

    tasks: dict[str, Task]
    problems: tuple[Problem, ...]
    bundled: dict[str, Bundle]
    subsets: dict[str, frozenset[str]]


def collect(data: Path | None, bundles: Sequence[Bundle]) -> Collection:
    """Everything that can be read; what can't is a problem. Never raises.

    Args:
        data: file or folder of the user, None = none.
    """
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for found, told in _editions(data) if data else ():
        problems += told
        tasks |= {task.name: task for task in found}
    subsets = _subsets(data, tasks)
    bundled: dict[str, Bundle] = {}
    for bundle in bundles:
        found, told = _original(bundle.data, bundle.name)
        problems += told
        for task in found:
            if task.name in tasks:
                where = f"{bundle.name}: task {task.name}"
                problems.append(Problem(where, "left out: its id was taken by another data set", "error"))
                continue
            tasks[task.name], bundled[task.name] = task, bundle
    return Collection(tasks, (*problems, *subsets.problems), bundled, subsets.tasks)


Found = tuple[list[Task], list[Problem]]


def _editions(data: Path) -> Iterator[Found]:
    """Of a file: the edition it holds. Of a folder: every edition that is in it."""
    if data.is_file():
        yield _verified(data) if data.name == verified.FILE else _original(data, TEST)
        return
    file, examples = _verified_file(data), _examples(data)
    if any((data / place).is_file() for place in PLACES) or not (file or examples):
        yield _original(data, TEST)
    if file:
        yield _verified(file)
    if examples:
        yield _named(_original(examples, EXAMPLES), "example")


def _verified_file(folder: Path) -> Path | None:
    return next((folder / place for place in verified.PLACES if (folder / place).is_file()), None)


def _examples(folder: Path) -> Path | None:
    return next((folder / place for place in EXAMPLE_PLACES if (folder / place).is_dir()), None)


def _subsets(data: Path | None, tasks: Mapping[str, Task]) -> Subsets:
    if data is None:
        return Subsets({}, ())
    file = _verified_file(data) if data.is_dir() else data
    if file is None or file.name != verified.FILE:
        return Subsets({}, ())
    return read_subsets(file.parent / "subsets", VERIFIED, tasks)


def _original(path: Path, split: str) -> Found:
    loaded = loaded_or_problem(lambda place: read_task_files(task_files(place)), path)
    return [msgspec.structs.replace(task, split=split) for task in loaded.tasks], list(loaded.problems)


def _verified(path: Path) -> Found:
    loaded = loaded_or_problem(_verified_tasks, path)
    return _named((list(loaded.tasks), list(loaded.problems)), VERIFIED)


def _verified_tasks(path: Path) -> LoadedTasks:
    loaded = verified.read_task_file(path)
    return LoadedTasks(tuple(loaded.tasks.values()), loaded.problems)


def _named(found: Found, edition: str) -> Found:
    tasks, problems = found
    return [msgspec.structs.replace(task, name=f"{edition}.{task.name}") for task in tasks], problems
