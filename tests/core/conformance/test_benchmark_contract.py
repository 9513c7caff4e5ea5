"""Faults planted into a benchmark's catalogue, tasks and errors are found, each by its own rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from webbench.benchmarks.demo.benchmark import create
from webbench.core.benchmark.benchmark import BenchmarkStatus
from webbench.core.conformance import benchmark_contract
from webbench.core.conformance.rule import Broken
from webbench.core.task import Task, TaskEntry

GOOD: Any = create()
TASKS: list[Task] = list(GOOD.tasks(instances=1))


class Changed(Any):
    """The demo, of which a planted fault takes one part; what it has is only known where it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(GOOD, name)


class Shorter(Changed):
    def catalogue(self) -> Sequence[TaskEntry]:
        return GOOD.catalogue()[1:]


class Reworded(Changed):
    def catalogue(self) -> Sequence[TaskEntry]:
        first, *rest = GOOD.catalogue()
        return [msgspec.structs.replace(first, intent="Buy everything"), *rest]


class Splitless(Changed):
    def splits(self) -> Sequence[str]:
        return GOOD.splits()[1:]


class Lenient(Changed):
    def tasks(self, split: str = "", names: Sequence[str] = (), instances: int | None = None) -> list[Task]:
        return [task for task in TASKS if task.split == (split or task.split) and not names]


class Abrupt(Changed):
    def tasks(self, split: str = "", names: Sequence[str] = (), instances: int | None = None) -> list[Task]:
        return [{task.name: task for task in TASKS}[name] for name in names]


class Moody(Changed):
    def tasks(self, split: str = "", names: Sequence[str] = (), instances: int | None = None) -> list[Task]:
        return TASKS[::-1]


class Mute(Changed):
    def status(self) -> BenchmarkStatus:
        return BenchmarkStatus("needs data")


class Lost(Changed):
    dialect = "klingon"
    rule_sets = ()
    step_limit = 0
    title = " "


@pytest.mark.parametrize(
    ("found", "ask"),
    [
        ("the catalogue doesn't list", lambda: benchmark_contract.catalogue(Shorter(), TASKS)),
        ("'Buy everything' in the catalogue", lambda: benchmark_contract.catalogue(Reworded(), TASKS)),
        ("doesn't name", lambda: benchmark_contract.catalogue(Splitless(), TASKS)),
        ("gives 0 tasks|gives .* tasks", lambda: benchmark_contract.unknown_names(Lenient(), TASKS, 0)),
        ("raises KeyError|gives 0 tasks", lambda: benchmark_contract.unknown_names(Abrupt(), TASKS, 0)),
        ("other ids, or another order", lambda: benchmark_contract.stable(Moody(), TASKS)),
        ("stand for several tasks", lambda: benchmark_contract.unique([*TASKS, TASKS[0]])),
        ("without a word of detail", lambda: benchmark_contract.status(Mute())),
        (r"tasks\(names=", lambda: benchmark_contract.choosing(Moody(), TASKS, 0)),
        (
            "isn't the same when it is read again: data",
            lambda: benchmark_contract.plain_data([msgspec.structs.replace(TASKS[0], data={"a": (1, 2)})]),
        ),
        (
            "can't be written as JSON",
            lambda: benchmark_contract.plain_data([msgspec.structs.replace(TASKS[0], gold={"a": object()})]),
        ),
    ],
)
def test_a_planted_fault_is_found(found: str, ask: Any) -> None:
    with pytest.raises(Broken, match=found):
        ask()


class Untyped(Lost):
    step_limit: Any = None
    evaluator: Any = None


@pytest.mark.parametrize(
    ("benchmark", "entry_point", "told"),
    [
        (
            Lost(),
            "other",
            r"^its name is 'demo', its entry point 'other'; rule_sets is empty; step_limit is 0; "
            "title is blank; .*klingon",
        ),
        (
            Untyped(),
            "demo",
            "^rule_sets is empty; step_limit: TypeError: .*; title is blank; evaluator: AttributeError: .*; "
            ".*klingon",
        ),
    ],
)
def test_all_that_is_wrong_with_the_fields_is_told_at_once(
    benchmark: Any, entry_point: str, told: str
) -> None:
    """A field of the wrong type hides none of the others."""
    with pytest.raises(Broken, match=told):
        benchmark_contract.fields(benchmark, entry_point)


def test_the_demo_has_none() -> None:
    assert benchmark_contract.fields(GOOD, "demo")
    assert benchmark_contract.status(GOOD)
    assert benchmark_contract.catalogue(GOOD, TASKS)
    assert benchmark_contract.unique(TASKS)
    assert benchmark_contract.stable(create(), TASKS)
    assert benchmark_contract.choosing(GOOD, TASKS, 0)
    assert benchmark_contract.unknown_names(GOOD, TASKS, 0)
    assert benchmark_contract.plain_data(TASKS)
