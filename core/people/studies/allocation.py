"""The allocation of tasks to annotators: a study and its seed alone decide it, and its hash is recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.errors import BadData
from webbench.core.people.studies.sampling import Drawn, drawn_tasks
from webbench.core.people.studies.study import Study
from webbench.core.statistics.drawing import lot
from webbench.core.task import name_and_instance
from webbench.core.text.plural import counted

SCHEMA_VERSION = 1


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A study with its tasks drawn and dealt.

    Attributes:
        hash: of the study it was made from.
        tasks: in the order in which they were drawn.
        assigned: ids of each annotator's tasks, in the order in which they are to be done.
    """

    study: str
    hash: str
    benchmark: str
    tasks: tuple[Drawn, ...]
    assigned: dict[str, tuple[str, ...]]
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    def drawn(self, task: str) -> Drawn:
        """Raises `KeyError` for a task that isn't in it."""
        for one in self.tasks:
            if one.task == task:
                return one
        raise KeyError(task)

    def people(self, task: str) -> tuple[str, ...]:
        """Who is to do a task."""
        return tuple(name for name, tasks in self.assigned.items() if task in tasks)


def make_plan(study: Study, benchmark: Benchmark) -> Plan:
    """Draw and deal. Raises what `drawn_tasks` and `deal` raise."""
    tasks = drawn_tasks(study, benchmark)
    return Plan(
        study=study.name,
        hash=study.hash,
        benchmark=study.benchmark,
        tasks=tasks,
        assigned=deal(study, [one.task for one in tasks]),
    )


def obstacles(plan: Plan, benchmark: Benchmark) -> tuple[str, ...]:
    """Why tasks of the plan can't be worked on here and now: a site without an address, a broken file."""
    found: dict[str, list[str]] = {}
    problems = {entry.name: entry.problem for entry in benchmark.catalogue() if entry.problem}
    for one in plan.tasks:
        name = name_and_instance(one.task)[0]
        if name in problems:
            found.setdefault(problems[name], []).append(one.task)
    return tuple(f"{counted(len(tasks), 'task')} ({_few(tasks)}): {why}" for why, tasks in found.items())


def _few(tasks: Sequence[str]) -> str:
    return ", ".join(tasks[:3]) + (", …" if len(tasks) > 3 else "")


def deal(study: Study, tasks: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tasks of each annotator: as even as can be, each person's in an order of their own.

    The first `overlap` tasks go to several people each, in changing groups: those with the fewest tasks so
    far, of these whoever did least with the others of the group. Every other task goes to whoever has the
    fewest. Raises `BadData` where there are fewer tasks than are to be done twice, or more than the
    annotators can take.
    """
    people, several = study.annotators, study.overlapping_people
    if study.overlap > len(tasks):
        raise BadData(f"overlap: {study.overlap} tasks are to be done twice, the study has {len(tasks)}")
    places = study.overlap * several + len(tasks) - study.overlap
    room = None if study.tasks_per_annotator is None else study.tasks_per_annotator * len(people)
    if room is not None and places > room:
        raise BadData(
            f"tasks_per_annotator: {counted(len(tasks), 'task')}, {study.overlap} of them done by {several},"
            f" are {places} to be dealt; {counted(len(people), 'annotator')} with at most"
            f" {study.tasks_per_annotator} each take {room}",
            "draw fewer tasks, lower the overlap, or let more people take part",
        )
    order = sorted(people, key=lambda name: lot(study.seed, "person", name))
    dealt: dict[str, list[str]] = {name: [] for name in order}
    met: Counter[frozenset[str]] = Counter()
    for task in tasks[: study.overlap]:
        group: list[str] = []
        for _ in range(several):
            group.append(_next(order, group, dealt, met))
        met.update(frozenset(pair) for pair in combinations(group, 2))
        for name in group:
            dealt[name].append(task)
    for task in tasks[study.overlap :]:
        dealt[min(order, key=lambda name: len(dealt[name]))].append(task)
    return {name: tuple(sorted(dealt[name], key=lambda one: lot(study.seed, name, one))) for name in people}


def _next(
    order: Sequence[str],
    group: Sequence[str],
    dealt: Mapping[str, Sequence[str]],
    met: Counter[frozenset[str]],
) -> str:
    """Who joins the group at a task: with the fewest tasks, then whoever did least with the group so far."""
    free = [name for name in order if name not in group]
    return min(free, key=lambda name: (len(dealt[name]), sum(met[frozenset((name, one))] for one in group)))
