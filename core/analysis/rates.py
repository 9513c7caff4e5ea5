"""Runs as figures: success rates with intervals, and pairs of runs on the tasks that both attempted.

Only scored episodes enter a rate. What is pending, not scored or an error is counted apart, never as 0.
Several episodes of one task in a run are averaged, so that every task weighs the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import msgspec

from webbench.core.analysis.statistics import (
    Difference,
    Estimate,
    clustered_mean,
    holm,
    paired_difference,
    standard_error,
    wilson,
)
from webbench.core.errors import BadData, UsageError
from webbench.core.score import Status
from webbench.core.store.reader import read_header
from webbench.core.store.store import Store

SCHEMA_VERSION = 1


class TaskScore(msgspec.Struct, frozen=True, kw_only=True):
    """One task of a run: the mean of its scored episodes, and how many there were."""

    task: str
    template: str
    score: float
    episodes: int


class RunRates(msgspec.Struct, frozen=True, kw_only=True):
    """One run.

    Attributes:
        states: episodes by state of their score ("scored", "pending", "not_scored", "error"); "no end"
            counts those that were never finished.
        success: share of tasks with a score of 1, Wilson.
        mean: of the tasks' scores, clustered by template where templates are known, else by task.
        standard_error: of the mean, tasks taken as independent.
    """

    run: str
    benchmark: str
    agent: str
    states: dict[str, int]
    tasks: tuple[TaskScore, ...]
    success: Estimate
    mean: Estimate
    standard_error: float | None
    problems: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs on their common tasks; `p_holm` is corrected for the number of pairs.

    Attributes:
        only_first, only_second: tasks that one solved (score 1) and the other did not.
    """

    first: str
    second: str
    tasks: int
    difference: Difference
    p_holm: float | None
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    runs: tuple[RunRates, ...]
    pairs: tuple[Pair, ...]


def rates(store: Store, runs: Sequence[str], *, seed: int = 0) -> Rates:
    """Figures of one or more runs of a benchmark, and of every pair of them.

    Raises `UsageError` for unknown runs, and for runs of different benchmarks.
    """
    found = tuple(_run(store, run, seed) for run in dict.fromkeys(runs))
    benchmarks = list(dict.fromkeys(run.benchmark for run in found))
    if len(benchmarks) > 1:
        raise UsageError(
            f"These runs are of different benchmarks: {' and '.join(benchmarks)}", "compare runs of the same"
        )
    pairs = [_pair(first, second, seed) for first, second in combinations(found, 2)]
    known = [at for at, pair in enumerate(pairs) if pair.difference.p is not None]
    corrected = holm([pairs[at].difference.p or 0.0 for at in known])
    for at, p in zip(known, corrected, strict=True):
        pairs[at] = msgspec.structs.replace(pairs[at], p_holm=p)
    return Rates(runs=found, pairs=tuple(pairs))


def _run(store: Store, run: str, seed: int) -> RunRates:
    summaries = store.episodes(run)
    states: Counter[str] = Counter()
    scores: dict[str, list[float]] = {}
    templates: dict[str, str] = {}
    problems: list[str] = []
    benchmark = agent = ""
    for summary in summaries:
        try:
            header = read_header(store.root / summary.run / summary.episode)
        except BadData as error:
            problems.append(str(error))
            continue
        benchmark, agent = header.task.benchmark, header.actor
        score = header.score
        states["no end" if not header.ended or score is None else score.status.value] += 1
        if header.ended and score is not None and score.status is Status.SCORED and score.value is not None:
            scores.setdefault(header.task.id, []).append(score.value)
            templates[header.task.id] = header.task.template
    tasks = tuple(
        TaskScore(task=task, template=templates[task], score=sum(one) / len(one), episodes=len(one))
        for task, one in scores.items()
    )
    values = [task.score for task in tasks]
    return RunRates(
        run=run,
        benchmark=benchmark,
        agent=agent,
        states=dict(states),
        tasks=tasks,
        success=wilson(sum(value == 1 for value in values), len(values)),
        mean=clustered_mean(values, [_cluster(task) for task in tasks], seed=seed),
        standard_error=standard_error(values),
        problems=tuple(problems),
    )


def _cluster(task: TaskScore) -> tuple[str, str]:
    return ("template", task.template) if task.template else ("task", task.task)


def _pair(first: RunRates, second: RunRates, seed: int) -> Pair:
    other = {task.task: task for task in second.tasks}
    both = [(task, other[task.task]) for task in first.tasks if task.task in other]
    clusters = [_cluster(task) for task, _ in both]
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
        p_holm=None,
        only_first=tuple(one.task for one, two in both if one.score == 1 > two.score),
        only_second=tuple(one.task for one, two in both if two.score == 1 > one.score),
    )
