"""Messages on the catalogue: a benchmark's tasks, what is wrong with its data, results so far."""

from __future__ import annotations

import msgspec

from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Severity
from webbench.core.episode.events import EventBase
from webbench.core.store.index.summaries import UnfinishedEpisodes
from webbench.core.task import Task, TaskEntry


class IntentBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="intent", tag=True):
    """Something the person wants; answered by events."""


class ListTasks(IntentBase, frozen=True, kw_only=True):
    """List the tasks of one benchmark, or of all; answered by `TasksListed` for each."""

    benchmark: str = ""
    data: str = ""


class ListProblems(IntentBase, frozen=True, kw_only=True):
    """Look through a benchmark's data; answered by `ProblemsListed`, and nothing waits for it."""

    benchmark: str
    data: str = ""


class ReadTask(IntentBase, frozen=True, kw_only=True):
    """Read one instance of a task; answered by `TaskRead`."""

    benchmark: str
    name: str
    instance: int = 0
    data: str = ""


class ListUnfinished(IntentBase, frozen=True, kw_only=True):
    """List the episodes that a person can go on with; answered by `UnfinishedListed`."""


class TasksListed(EventBase, frozen=True, kw_only=True):
    """What a benchmark offers, or why it offers nothing."""

    benchmark: str
    title: str
    status: BenchmarkStatus
    entries: tuple[TaskEntry, ...] = ()


class ProblemsListed(EventBase, frozen=True, kw_only=True):
    """What is wrong with a benchmark's data: how many of each severity, and the worst of them."""

    benchmark: str
    counts: dict[Severity, int]
    problems: tuple[Problem, ...] = ()


class TaskResults(msgspec.Struct, frozen=True, kw_only=True):
    """What the store holds on one task name: scores, None where there is no scored attempt.

    `instances` has the same of each instance that was tried; empty for tasks that have none.
    """

    best_human: float | None = None
    best_agent: float | None = None
    last: float | None = None
    attempts: int = 0
    instances: dict[int, TaskResults] = {}


class ResultsListed(EventBase, frozen=True, kw_only=True):
    """Results by task name of one benchmark."""

    benchmark: str
    results: dict[str, TaskResults]


class UnfinishedListed(EventBase, frozen=True, kw_only=True):
    """Episodes of all benchmarks without an end, and how many more belong to others."""

    found: UnfinishedEpisodes


class TaskRead(EventBase, frozen=True, kw_only=True):
    """One instance of a task, ready to be started. Its gold answers are in it, for the score panel."""

    task: Task
