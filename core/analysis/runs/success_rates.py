"""Runs as figures: success rates with intervals, and pairs of runs on the tasks that both attempted.

Only scored episodes enter a rate. What is pending, not scored or an error is counted apart, never as 0.
Several episodes of one task in a run are averaged, so that every task weighs the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun, read_runs
from webbench.core.statistics.estimates import (
    Cluster,
    Difference,
    Estimate,
    cluster_of,
    clustered_mean,
    holm,
    paired_difference,
    standard_error,
    wilson,
)
from webbench.core.statistics.mean import mean
from webbench.core.store.store import Store

SCHEMA_VERSION = 1


class TaskScore(msgspec.Struct, frozen=True, kw_only=True):
    """One task of a run: the mean of its scored episodes, and how many there were."""

    task: str
    template: str
    score: float
    episodes: int
    names: tuple[str, ...] = ()
    """Of the episodes, "run/episode"."""

    @property
    def solved(self) -> bool:
        """Every scored episode of it reached 1."""
        return self.score == 1

    @property
    def cluster(self) -> Cluster:
        return cluster_of(self.task, self.template)


class RunRates(msgspec.Struct, frozen=True, kw_only=True):
    """One run.

    Attributes:
        states: episodes by state of their score ("scored", "pending", "not_scored", "error"); "no end"
            counts those that were never finished, "played again" attempts that a later one stands in for.
        success: share of tasks with a score of 1, Wilson.
        success_clustered: the same share, clustered by template where templates are known.
        mean: of the tasks' scores, clustered by template where templates are known, else by task.
        standard_error: of the mean, tasks taken as independent.
        bounds: share of all tasks that would be solved if every episode without a score had failed, and if
            each had reached 1; None where all are scored.
    """

    run: str
    benchmark: str
    agent: str
    states: dict[str, int]
    tasks: tuple[TaskScore, ...]
    success: Estimate
    success_clustered: Estimate
    mean: Estimate
    standard_error: float | None
    bounds: tuple[float, float] | None = None
    problems: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs on their common tasks; `p_holm` is `difference.p` corrected for the number of pairs.

    Attributes:
        solved: difference of the shares of tasks that were solved, clustered by template.
        only_first, only_second: tasks that one solved (score 1) and the other did not.
    """

    first: str
    second: str
    tasks: int
    difference: Difference
    solved: Estimate
    p_holm: float | None
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of each run, and of each pair of runs on the tasks that both played."""

    runs: tuple[RunRates, ...]
    pairs: tuple[Pair, ...]


def rates(store: Store, runs: Sequence[str], *, seed: int = 0) -> Rates:
    """Figures of one or more runs of a benchmark, and of every pair of them.

    Raises `UsageError` for unknown runs, and for runs of different benchmarks.
    """
    return rates_of(read_runs(store, runs), seed=seed)


def rates_of(runs: Sequence[RecordedRun], *, seed: int = 0) -> Rates:
    """The same of runs that were read already."""
    found = tuple(_rates_of_run(run, seed) for run in runs)
    pairs = [_pair(first, second, seed) for first, second in combinations(found, 2)]
    known = [at for at, pair in enumerate(pairs) if pair.difference.p is not None]
    corrected = holm([pairs[at].difference.p or 0.0 for at in known])
    for at, p in zip(known, corrected, strict=True):
        pairs[at] = msgspec.structs.replace(pairs[at], p_holm=p)
    return Rates(runs=found, pairs=tuple(pairs))


def counted(runs: Sequence[RecordedRun]) -> Rates:
    """The same at once: without pairs, and with intervals only where they take no resampling."""
    return Rates(runs=tuple(_rates_of_run(run, None) for run in runs), pairs=())


def task_scores(episodes: Sequence[Recorded]) -> tuple[TaskScore, ...]:
    """Tasks with at least one scored episode, in order of first appearance."""
    by_task: dict[str, list[Recorded]] = {}
    for one in episodes:
        if one.value is not None:
            by_task.setdefault(one.task.id, []).append(one)
    return tuple(
        TaskScore(
            task=task,
            template=found[0].task.template,
            score=sum(one.value or 0.0 for one in found) / len(found),
            episodes=len(found),
            names=tuple(one.name for one in found),
        )
        for task, found in by_task.items()
    )


def _rates_of_run(run: RecordedRun, seed: int | None) -> RunRates:
    """Without a seed nothing is resampled."""
    tasks = task_scores(run.episodes)
    values = [task.score for task in tasks]
    clusters = [task.cluster for task in tasks]
    return RunRates(
        run=run.run,
        benchmark=run.benchmark,
        agent=run.agent,
        states=run.states,
        tasks=tasks,
        success=wilson(sum(task.solved for task in tasks), len(tasks)),
        success_clustered=_mean([float(task.solved) for task in tasks], clusters, seed),
        mean=_mean(values, clusters, seed),
        standard_error=standard_error(values),
        bounds=_bounds(run.episodes),
        problems=run.problems,
    )


def _bounds(episodes: Sequence[Recorded]) -> tuple[float, float] | None:
    """What a rate would be with the verdicts that nobody gave: all against the run, and all for it."""
    by_task: dict[str, list[float | None]] = {}
    for one in episodes:
        by_task.setdefault(one.task.id, []).append(one.value)
    if all(None not in values for values in by_task.values()):
        return None
    worst = sum(all(value == 1 for value in values) for values in by_task.values())
    best = sum(all(value in (None, 1) for value in values) for values in by_task.values())
    return worst / len(by_task), best / len(by_task)


def _mean(values: Sequence[float], clusters: Sequence[Cluster], seed: int | None) -> Estimate:
    if seed is not None:
        return clustered_mean(values, clusters, seed=seed)
    return Estimate(value=mean(values), n=len(values), method="without an interval")


def _pair(first: RunRates, second: RunRates, seed: int) -> Pair:
    other = {task.task: task for task in second.tasks}
    both = [(task, other[task.task]) for task in first.tasks if task.task in other]
    clusters = [task.cluster for task, _ in both]
    clustered = len(set(clusters)) < len(clusters)
    difference = paired_difference(
        [one.score for one, _ in both],
        [two.score for _, two in both],
        clusters if clustered else None,
        seed=seed,
    )
    return Pair(
        first=first.run,
        second=second.run,
        tasks=len(both),
        difference=difference,
        solved=clustered_mean(
            [float(one.solved) - float(two.solved) for one, two in both], clusters, seed=seed
        ),
        p_holm=None,
        only_first=tuple(one.task for one, two in both if one.score == 1 > two.score),
        only_second=tuple(one.task for one, two in both if two.score == 1 > one.score),
    )
