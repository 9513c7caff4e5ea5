"""What is available here: benchmarks, with the state of their data, and their tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.api.naming import several
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.engine import catalogue
from webbench.core.errors import BadData, UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.task import Task, name_and_instance


class AvailableBenchmark(msgspec.Struct, frozen=True, kw_only=True):
    """One installed benchmark.

    Attributes:
        state: "ready", or what is missing; `detail` says how to get it.
        tasks: how many there are; 0 where the data is missing.
        splits, rule_sets: their names, the benchmark's own default first.

    Example:
        >>> {one.name: one.detail for one in wb.benchmarks() if one.state != "ready"}
    """

    name: str
    title: str
    state: Literal["ready", "needs data", "needs sites"]
    detail: str = ""
    tasks: int = 0
    splits: tuple[str, ...] = ()
    rule_sets: tuple[str, ...] = ()


def benchmarks() -> list[AvailableBenchmark]:
    """Every installed benchmark, those of other packages too, in alphabetical order.

    Example:
        >>> import webbench as wb
        >>> [one.name for one in wb.benchmarks() if one.state == "ready"]
    """
    return [_available(name) for name in entry_points.load(BENCHMARKS)]


def _available(name: str) -> AvailableBenchmark:
    listed = catalogue.list_tasks(name)
    is_ready = listed.status.state == "ready"
    found = catalogue.benchmark(name) if is_ready else None
    return AvailableBenchmark(
        name=name,
        title=listed.title,
        state=listed.status.state,
        detail=listed.status.detail,
        tasks=len(listed.entries),
        splits=tuple(found.splits()) if found else (),
        rule_sets=tuple(found.rule_sets) if found else (),
    )


def ready_benchmark(name: str, data: Path | str | None = None) -> Benchmark:
    """The benchmark with its data: its evaluator, rule sets, splits, tasks.

    Args:
        data: the data folder; None: by the settings, else what is bundled.

    Raises:
        UsageError: no benchmark of this name; names the nearest.
        BadData: its data is missing; says how to get it.

    Example:
        >>> import webbench as wb
        >>> wb.benchmark("demo").step_limit
        40
    """
    found = catalogue.benchmark(name, str(data or ""))
    status = found.status()
    if status.state != "ready":
        raise BadData(f"{name} {status.state}", status.detail)
    return found


def tasks(
    benchmark: str,
    *,
    split: str = "",
    names: Sequence[str] = (),
    instances: int | None = None,
    site: str = "",
    kind: str = "",
    template: str = "",
    where: Callable[[Task], bool] | None = None,
    data: Path | str | None = None,
) -> list[Task]:
    """The tasks of a benchmark in the order of its data; those that every argument lets through.

    Args:
        split: all splits where it is "".
        names: the tasks' own names, or a single one; "@NAME" for those of a subset; all where none is given.
        instances: the first so many of each name.
        site, kind, template: the task's own must be the same; "" lets all through.
        where: any further condition.
        data: see `benchmark`.

    Raises:
        UsageError: no such benchmark, split or name; names the nearest.
        BadData: the data is missing.

    Example:
        >>> import webbench as wb
        >>> shop = wb.tasks("demo", site="shop", where=lambda task: "mug" in task.intent.lower())
    """
    chosen = with_subsets(benchmark, several(names))
    found = ready_benchmark(benchmark, data).tasks(split, chosen, instances)
    wanted = [("site", site), ("kind", kind), ("template", template)]
    return [
        task
        for task in found
        if all(not value or getattr(task, field) == value for field, value in wanted)
        and (where is None or where(task))
    ]


def chosen_task(task: Task | str, data: Path | str | None = None) -> Task:
    """The task itself, or the one of the name "BENCHMARK/TASK", such as "demo/camp-mugs".

    A number after "#" is the instance, "demo/review-sentiment#2"; without one it is the first. Raises as
    `tasks`.
    """
    if isinstance(task, Task):
        return task
    benchmark, slash, named = task.partition("/")
    if not slash or not named:
        raise UsageError(f'"{task}" names no task', 'write "BENCHMARK/TASK", such as "demo/camp-mugs"')
    name, instance = name_and_instance(named)
    found = ready_benchmark(benchmark, data).tasks(names=(name,), instances=(instance or 0) + 1)
    for one in found:
        if instance is None or one.instance == instance:
            return one
    raise UsageError(f"{name} has no instance {instance}", f"it has {len(found)}, counted from 0")
