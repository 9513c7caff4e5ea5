"""Own data beside bundled data: a person's tasks of a benchmark, and those that ship with its bundles."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem
from webbench.core.benchmark.bundle import Bundle, bundles_of
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.errors import BadData
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

Content = TypeVar("Content")

BUNDLE = "bundle"
"""Key of `Task.data` that names the bundle a task ships with."""


class LoadedTasks(msgspec.Struct, frozen=True):
    """The usable tasks in file order, and what is to be known about the others and about them.

    Attributes:
        left_out: entries that are no task; None where they were not counted.
    """

    tasks: tuple[Task, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: int | None = None


def require_tasks(loaded: LoadedTasks, otherwise: str, hint: str) -> LoadedTasks:
    """What was loaded. Raises `BadData` where no task is in it, in these words and with the first problem."""
    if not loaded.tasks:
        first = f": {loaded.problems[0].where}: {loaded.problems[0].message}" if loaded.problems else ""
        raise BadData(f"{otherwise}{first}", hint)
    return loaded


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


def status_of(
    own: int, data: Path | None, bundled: Mapping[str, int], missing: str, *, what: str = "task"
) -> BenchmarkStatus:
    """Ready where there is anything, a person's own or of a bundle.

    Args:
        bundled: how many each bundle has, by its name.
        missing: said where nothing is a person's own: why, or how to get it.
        what: one of them is called.
    """
    places = [(own, f"in {data}")] if own else []
    places += [(count, f"of the bundle {name}") for name, count in bundled.items()]
    told = [f"{count if at else counted(count, what)} {place}" for at, (count, place) in enumerate(places)]
    ready = any(count for count, _ in places)
    return BenchmarkStatus("ready" if ready else "needs data", "; ".join(told if own else [*told, missing]))


def told_of_hidden(bundle: str, names: Iterable[str], own: Container[str]) -> Sequence[Problem]:
    """The tasks of a bundle that a person's own tasks of the same names hide; none where there is none."""
    hidden = [name for name in names if name in own]
    count = counted(len(hidden), "task")
    told = f"{count} hidden by your own of the same name: {', '.join(hidden)}"
    return [Problem(f"the bundle {bundle}", told, "note")] if hidden else []


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


class OwnAndBundledBenchmark:
    """What benchmarks whose tasks stand in files have alike; see `Benchmark`.

    Each says its names, its evaluator, its limits and its stage; `name` and `title` are class attributes.

    Args:
        data: file or folder of a person's own tasks, None for none.
        load: reads one; raises `BadData` where it holds no task.
        get_data: how to get the published ones, in words.
    """

    name: str
    title: str

    def __init__(self, data: Path | None, load: Callable[[Path], LoadedTasks], get_data: str) -> None:
        self.data = data
        self._load = load
        self._get_data = get_data
        self._sources = OwnAndBundled(self.name, self._read_own, self._read_bundle)

    def status(self) -> BenchmarkStatus:
        """Ready with the bundled tasks alone; says how to get the others."""
        own = self._sources.own
        hidden = {task.name for task in own.tasks}
        bundled = {
            name: sum(task.name not in hidden for task in found.tasks)
            for name, found in self._sources.bundled.items()
        }
        missing = own.problems[0].message if own.problems else f"for the others {self._get_data}"
        return status_of(len(own.tasks), self.data, bundled, missing)

    def splits(self) -> Sequence[str]:
        """In order of first appearance."""
        return tuple(dict.fromkeys(task.split for task in self._tasks))

    def catalogue(self) -> Sequence[TaskEntry]:
        return [entry_of(task) for task in self._tasks]

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,  # noqa: ARG002 - a task has no instances
    ) -> Sequence[Task]:
        """A person's own tasks in file order, then the bundled ones."""
        require_split(split, self.splits(), self.title)
        known = [task for task in self._tasks if not split or task.split == split]
        require_names(names, {task.name for task in known}, self.title, split)
        return [task for task in known if not names or task.name in names]

    def problems(self) -> Sequence[Problem]:
        own = {task.name for task in self._sources.own.tasks}
        bundled = [
            problem
            for name, found in self._sources.bundled.items()
            for problem in (*found.problems, *told_of_hidden(name, (one.name for one in found.tasks), own))
        ]
        return (*self._sources.own.problems, *bundled)

    def oracle(self, task: Task) -> Agent:
        """Plays the bundle's reference actions. Raises `UsageError` for a task of the open web."""
        from webbench.core.agents.reference import reference_oracle

        return reference_oracle(task, self._bundle(task))

    def _bundle(self, task: Task) -> Bundle | None:
        """The one that the task ships with, None for one of the open web.

        Raises `BadData` where it isn't installed any more.
        """
        name = task.data.get(BUNDLE)
        if name is not None and name not in self._sources.bundles:
            raise BadData(f'{task.id}: the bundle "{name}" is not installed')
        return self._sources.bundles[name] if name is not None else None

    @cached_property
    def _tasks(self) -> tuple[Task, ...]:
        """A person's own task hides a bundled one of the same name."""
        own = self._sources.own.tasks
        hidden = {task.name for task in own}
        bundled = (task for found in self._sources.bundled.values() for task in found.tasks)
        return (*own, *(task for task in bundled if task.name not in hidden))

    def _read_own(self) -> LoadedTasks:
        return loaded_or_problem(self._load, self.data) if self.data else LoadedTasks()

    def _read_bundle(self, bundle: Bundle) -> LoadedTasks:
        """Its tasks, with its name as split."""
        found = loaded_or_problem(self._load, bundle.data)
        marked = (
            msgspec.structs.replace(task, split=bundle.name, data=task.data | {BUNDLE: bundle.name})
            for task in found.tasks
        )
        return LoadedTasks(tuple(marked), found.problems)
