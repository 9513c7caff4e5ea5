"""Which tasks a study is about: named ones, those of a subset, or a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, Traits, traits_of
from webbench.core.benchmark.subsets import with_subsets
from webbench.core.errors import BadData, UsageError
from webbench.core.people.studies.study import Facet, Sample, Study
from webbench.core.statistics.drawing import lot, stratified
from webbench.core.task import Task, name_and_instance
from webbench.core.text.plural import counted


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
    """What a study keeps of a task that it drew, so that the draw can be told."""
    return Drawn(
        task=task.id,
        template=task.template,
        site=task.site,
        split=task.split,
        kind=task.kind,
        traits=traits_of(benchmark, task),
    )


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
    return [find_task(benchmark, name) for name in with_subsets(benchmark.name, names)]


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


def _groups(
    pool: Sequence[Drawn], facets: Sequence[Facet], order: Callable[[Drawn], str]
) -> list[list[Drawn]]:
    """By the values of the facets, in their order; each group in the order of being drawn."""
    found: dict[tuple[str, ...], list[Drawn]] = {}
    for one in pool:
        found.setdefault(tuple(one.facet(facet) for facet in facets), []).append(one)
    return [sorted(found[key], key=order) for key in sorted(found)]
