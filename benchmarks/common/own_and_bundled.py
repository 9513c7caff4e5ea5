"""Own data beside bundled data: a person's tasks of a benchmark, and those that ship with its bundles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.benchmark.bundle import Bundle, bundles_of
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.errors import BadData
from webbench.core.task import Task, TaskEntry

Content = TypeVar("Content")


class LoadedTasks(msgspec.Struct, frozen=True):
    """The usable tasks in file order, and what is to be known about the others and about them.

    Attributes:
        left_out: entries that are no task; None where they were not counted.
    """

    tasks: tuple[Task, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: int | None = None


def loaded_or_problem(load: Callable[[Path], LoadedTasks], path: Path) -> LoadedTasks:
    """The tasks of a file or folder; why it can't be used is the one problem. Never raises."""
    try:
        return load(path)
    except BadData as error:
        return LoadedTasks((), (Problem(str(path), str(error), "error"),))


class OwnAndBundled(Generic[Content]):
    """What a person has, and what each bundle holds; each is read when it is first asked for.

    Args:
        benchmark: whose bundles are meant.
        read_own: gives something empty where a person has nothing.
        read_bundle: reads what one bundle holds.
    """

    def __init__(
        self,
        benchmark: str,
        read_own: Callable[[], Content],
        read_bundle: Callable[[Bundle], Content],
    ) -> None:
        self._benchmark = benchmark
        self._read_own = read_own
        self._read_bundle = read_bundle

    @cached_property
    def bundles(self) -> Mapping[str, Bundle]:
        """By name, in alphabetical order."""
        return {bundle.name: bundle for bundle in bundles_of(self._benchmark)}

    @cached_property
    def own(self) -> Content:
        return self._read_own()

    @cached_property
    def bundled(self) -> Mapping[str, Content]:
        """By the name of the bundle."""
        return {name: self._read_bundle(bundle) for name, bundle in self.bundles.items()}


def splits_of(tasks: Iterable[Task]) -> tuple[str, ...]:
    """In order of first appearance."""
    return tuple(dict.fromkeys(task.split for task in tasks))


def chosen(tasks: Sequence[Task], title: str, split: str, names: Sequence[str]) -> list[Task]:
    """The tasks of a split, "" for all, that have one of the names, none for all; in their order.

    Raises `UsageError` for an unknown split or name, naming the nearest; `title` is the benchmark's.
    """
    require_split(split, splits_of(tasks), title)
    known = [task for task in tasks if not split or task.split == split]
    require_names(names, {task.name for task in known}, title, split)
    return [task for task in known if not names or task.name in names]


def entry_of(task: Task, *, parts: tuple[str, ...] = (), problem: str = "") -> TaskEntry:
    """A task's line of the catalogue; see `TaskEntry` for what is named."""
    return TaskEntry(
        benchmark=task.benchmark,
        name=task.name,
        intent=task.intent,
        split=task.split,
        site=task.site,
        kind=task.kind,
        template=task.template,
        parts=parts,
        problem=problem,
    )
