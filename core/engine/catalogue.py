"""What can be stepped: benchmarks with their state, their tasks, one instance at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, BenchmarkStatus
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.wire import catalogue_messages
from webbench.core.errors import BadData, UsageError, WebbenchError
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import HUMAN, EpisodeHeader

MOST_PROBLEMS = 500
WORST_FIRST = ("error", "warning", "note")

_open: dict[tuple[str, str], Benchmark] = {}


def benchmark(name: str, data: str = "") -> Benchmark:
    """The benchmark over `data`, or over the configured folder; kept open for the next call."""
    found = _open.get((name, data))
    if found is None:
        found = find_benchmark(name, Path(data) if data else load_settings().data_folder(name))
        _open[name, data] = found
    return found


def forget(name: str) -> None:
    """Read a benchmark's data anew at the next call."""
    for key in [key for key in _open if key[0] == name]:
        _open.pop(key, None)


def list_problems(name: str, data: str = "") -> catalogue_messages.ProblemsListed:
    """What is wrong with a benchmark's data, the worst first. Raises what opening it raises."""
    problems = sorted(
        benchmark(name, data).problems(), key=lambda problem: WORST_FIRST.index(problem.severity)
    )
    return catalogue_messages.ProblemsListed(
        benchmark=name,
        counts=Counter(problem.severity for problem in problems),
        problems=tuple(problems[:MOST_PROBLEMS]),
    )


def list_tasks(name: str, data: str = "") -> catalogue_messages.TasksListed:
    """All tasks of a benchmark; one that can't be used says why. Never raises an expected failure."""
    try:
        found = benchmark(name, data)
        status = found.status()
        if status.state != "ready":
            return catalogue_messages.TasksListed(benchmark=name, title=found.title, status=status)
        return catalogue_messages.TasksListed(
            benchmark=name, title=found.title, status=status, entries=tuple(found.catalogue())
        )
    except WebbenchError as error:
        status = BenchmarkStatus(state="needs data", detail=str(error))
        return catalogue_messages.TasksListed(benchmark=name, title=name, status=status)


def results(store: Store, name: str) -> catalogue_messages.ResultsListed:
    """Best human, best agent and last score per task and instance, from the index of the store.

    Who looked at a task and left without a step has not attempted it.
    """
    found: dict[str, catalogue_messages.TaskResults] = {}
    attempts = (
        one for one in store.attempts(name) if one.steps or one.value is not None or one.state != "ended"
    )
    for episode in sorted(attempts, key=lambda one: one.started):
        known = found.get(episode.name, catalogue_messages.TaskResults())
        found[episode.name] = _with_attempt(known, episode)
    return catalogue_messages.ResultsListed(benchmark=name, results=found)


def _with_attempt(
    known: catalogue_messages.TaskResults, episode: EpisodeSummary
) -> catalogue_messages.TaskResults:
    instances = dict(known.instances)
    if episode.instance is not None:
        tried = instances.get(episode.instance, catalogue_messages.TaskResults())
        instances[episode.instance] = _with_score(tried, episode)
    return msgspec.structs.replace(_with_score(known, episode), instances=instances)


def _with_score(
    known: catalogue_messages.TaskResults, episode: EpisodeSummary
) -> catalogue_messages.TaskResults:
    value = episode.value
    human = value if episode.actor == HUMAN else None
    agent = value if episode.actor != HUMAN and not episode.mixed else None
    return catalogue_messages.TaskResults(
        best_human=_best(known.best_human, human),
        best_agent=_best(known.best_agent, agent),
        last=value if episode.actor == HUMAN or episode.mixed else known.last,
        attempts=known.attempts + 1,
    )


def _best(known: float | None, value: float | None) -> float | None:
    return max((score for score in (known, value) if score is not None), default=None)


def read_task(name: str, task: str, instance: int, data: str = "") -> catalogue_messages.TaskRead:
    """One instance of a task.

    Raises:
        UsageError: no such instance.
    """
    found = benchmark(name, data).tasks(names=(task,), instances=instance + 1)
    for candidate in found:
        if candidate.instance is None or candidate.instance == instance:
            return catalogue_messages.TaskRead(task=candidate)
    raise UsageError(f"{task} has no instance {instance}", f"it has {len(found)}, counted from 0")


def with_gold(header: EpisodeHeader, data: str = "") -> Task:
    """A recorded task with its reference answers, which the record of an episode without an end lacks.

    Raises `UsageError` for an unknown benchmark, `BadData` where it has no such task, or another one now.
    """
    recorded = header.task
    if not header.gold_withheld:
        return recorded
    found, trouble = None, "it is another task there now"
    try:
        found = read_task(recorded.benchmark, recorded.name, recorded.instance or 0, data).task
    except UsageError as error:
        trouble = error.message
    if found is None or found.intent != recorded.intent:
        raise BadData(
            f"The data of {recorded.benchmark} has no reference answers for {header.episode}: {trouble}",
            "give the data that it was begun with (--data); without an end it holds none itself",
        )
    return msgspec.structs.replace(recorded, gold=found.gold)


def startable(header: EpisodeHeader, data: str = "") -> Task:
    """A recorded task as it can be started again: its own snapshot, else the benchmark's task of its name.

    Episodes of other tools bring no more than a name along, and interrupted ones lack the reference answers.

    Raises:
        UsageError: an unknown benchmark or task.
        BadData: the reference answers are missing, and the benchmark has no such task, or another one now.
    """
    recorded = with_gold(header, data)
    if recorded.data:
        return recorded
    try:
        return read_task(recorded.benchmark, recorded.name, recorded.instance or 0, data).task
    except UsageError as error:
        told = f"The record names {recorded.benchmark} {recorded.id}, but doesn't hold the task itself"
        raise UsageError(f"{told}: {error.message}", error.hint) from error
