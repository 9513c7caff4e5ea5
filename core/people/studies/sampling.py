"""Which tasks a study is about: named ones, or a sample that is the same wherever it is drawn.

Drawing is ordering by SHA-256 of seed and task id and taking the first: no random generator, so neither the
release of Python nor the order of a file matters, and a task more or less changes little.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, Traits, traits_of
from webbench.core.errors import BadData, UsageError
from webbench.core.people.studies.study import Facet, Sample, Study
from webbench.core.task import Task, name_and_instance
from webbench.core.text.plural import counted

Item = TypeVar("Item")


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A task of a study, with what samples and results group it by."""

    task: str
    """Its id."""
    template: str = ""
    site: str = ""
    split: str = ""
    kind: str = ""
    traits: Traits = Traits()

    def facet(self, name: Facet) -> str:
        return self.traits.difficulty if name == "difficulty" else str(getattr(self, name))


def drawn_tasks(study: Study, benchmark: Benchmark) -> tuple[Drawn, ...]:
    """The study's tasks, in an order that its seed decides.

    Raises `UsageError` for tasks and splits that don't exist, `BadData` where there are too few.
    """
    if study.sample is None:
        found = [drawn(task, benchmark) for task in _named(study.tasks, benchmark)]
    else:
        tasks = benchmark.tasks(study.sample.split, instances=study.sample.instances)
        found = _sampled(study, study.sample, [drawn(task, benchmark) for task in tasks])
    return tuple(sorted(found, key=lambda one: lot(study.seed, one.task)))


def drawn(task: Task, benchmark: Benchmark | None) -> Drawn:
    return Drawn(
        task=task.id,
        template=task.template,
        site=task.site,
        split=task.split,
        kind=task.kind,
        traits=traits_of(benchmark, task),
    )


def lot(seed: int, *words: str) -> str:
    """What is ordered by when something is drawn."""
    return hashlib.sha256("\n".join((str(seed), *words)).encode()).hexdigest()


def find_task(benchmark: Benchmark, id: str) -> Task:
    """The task of this id. Raises `UsageError` where there is none."""
    name, instance = name_and_instance(id)
    found = benchmark.tasks(names=(name,), instances=(instance or 0) + 1)
    for task in found:
        if task.id == id or (instance is None and task.name == id):
            return task
    raise UsageError(
        f"{benchmark.title} has no task {id}", f"`webbench-tui tasks {benchmark.name}` lists them"
    )


def _named(names: Sequence[str], benchmark: Benchmark) -> list[Task]:
    return [find_task(benchmark, name) for name in names]


def _sampled(study: Study, sample: Sample, pool: Sequence[Drawn]) -> list[Drawn]:
    def order(one: Drawn) -> str:
        return lot(study.seed, "sample", one.task)

    told: list[Facet] = [*([sample.one_per] if sample.one_per else []), *sample.stratify]
    for facet in told:
        if not any(one.facet(facet) for one in pool):
            raise BadData(
                f"{study.benchmark} doesn't tell the {facet} of its tasks, so nothing can be drawn by it",
                "leave it out of sample.one_per and sample.stratify",
            )
    if sample.one_per:
        pool = [group[0] for group in _groups(pool, (sample.one_per,), order)]
    size = len(pool) if sample.size is None else sample.size
    if size > len(pool):
        per = f", one per {sample.one_per}" if sample.one_per else ""
        where = f"split {sample.split}" if sample.split else study.benchmark
        raise BadData(f"sample.size: {size} tasks are wanted, {where} has {counted(len(pool), 'task')}{per}")
    if not sample.stratify:
        return sorted(pool, key=order)[:size]
    facets = sample.stratify
    return stratified(
        pool, lambda one: tuple(one.facet(facet) for facet in facets), lambda one: one.task, study.seed, size
    )


def stratified(
    pool: Sequence[Item],
    stratum: Callable[[Item], tuple[str, ...]],
    name: Callable[[Item], str],
    seed: int,
    size: int,
) -> list[Item]:
    """So many of the pool, with the pool's shares of each stratum; the seed and the names decide which."""
    found: dict[tuple[str, ...], list[Item]] = {}
    for one in sorted(pool, key=lambda one: lot(seed, "sample", name(one))):
        found.setdefault(stratum(one), []).append(one)
    groups = [found[key] for key in sorted(found, key=lambda key: (lot(seed, "stratum", *key), key))]
    shares = proportional([len(group) for group in groups], size)
    return [one for group, share in zip(groups, shares, strict=True) for one in group[:share]]


def _groups(
    pool: Sequence[Drawn], facets: Sequence[Facet], order: Callable[[Drawn], str]
) -> list[list[Drawn]]:
    """By the values of the facets, in their order; each group in the order of being drawn."""
    found: dict[tuple[str, ...], list[Drawn]] = {}
    for one in pool:
        found.setdefault(tuple(one.facet(facet) for facet in facets), []).append(one)
    return [sorted(found[key], key=order) for key in sorted(found)]


def proportional(counts: Sequence[int], size: int) -> list[int]:
    """Whole numbers that add up to `size` and are as near as can be to the shares of `counts`.

    Largest remainders (Hamilton's method); of equal ones the first group gets more, so the caller draws the
    order of groups.
    """
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    shares = [count * size // total for count in counts]
    rest = sorted(range(len(counts)), key=lambda at: -(counts[at] * size % total))
    for at in rest[: size - sum(shares)]:
        shares[at] += 1
    return shares
