"""What can be stepped: benchmarks with their state, their tasks, one instance at a time."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from webbench.core import registry
from webbench.core.engine import messages
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.settings import load_settings
from webbench.core.store.store import Store
from webbench.core.store.summaries import EpisodeSummary
from webbench.core.task import Benchmark, BenchmarkStatus


@lru_cache(maxsize=32)
def _opened(name: str, data: str) -> Benchmark:
    folder = Path(data) if data else load_settings().data_folder(name)
    return registry.benchmark(name, folder)


def benchmark(name: str, data: str = "") -> Benchmark:
    """The benchmark over `data`, or over the configured folder; kept open for the next call."""
    return _opened(name, data)


def list_tasks(name: str, data: str = "") -> messages.TasksListed:
    """All tasks of a benchmark; one that can't be used says why. Never raises an expected failure."""
    try:
        found = benchmark(name, data)
        status = found.status()
        if status.state != "ready":
            return messages.TasksListed(benchmark=name, title=found.title, status=status)
        return messages.TasksListed(
            benchmark=name, title=found.title, status=status, entries=tuple(found.catalogue())
        )
    except WebbenchError as error:
        status = BenchmarkStatus(state="needs data", detail=str(error))
        return messages.TasksListed(benchmark=name, title=name, status=status)


def results(store: Store) -> list[messages.ResultsListed]:
    """Best human, best agent and last score per task, from the index of the store."""
    found: dict[str, dict[str, messages.TaskResults]] = {}
    for episode in sorted(store.episodes(), key=lambda one: one.started):
        of_benchmark = found.setdefault(episode.benchmark, {})
        known = of_benchmark.get(episode.name, messages.TaskResults())
        of_benchmark[episode.name] = _with_attempt(known, episode)
    return [messages.ResultsListed(benchmark=name, results=results) for name, results in found.items()]


def _with_attempt(known: messages.TaskResults, episode: EpisodeSummary) -> messages.TaskResults:
    human = episode.actor == "human"
    best = known.best_human if human else known.best_agent
    if episode.value is not None:
        best = episode.value if best is None else max(best, episode.value)
    return messages.TaskResults(
        best_human=best if human else known.best_human,
        best_agent=known.best_agent if human else best,
        last=episode.value if human else known.last,
        attempts=known.attempts + 1,
    )


def read_task(name: str, task: str, instance: int, data: str = "") -> messages.TaskRead:
    """One instance of a task.

    Raises:
        UsageError: no such instance.
    """
    found = benchmark(name, data).tasks(names=(task,), instances=instance + 1)
    for candidate in found:
        if candidate.instance is None or candidate.instance == instance:
            return messages.TaskRead(task=candidate)
    raise UsageError(f"{task} has no instance {instance}", f"it has {len(found)}, counted from 0")
