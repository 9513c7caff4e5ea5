"""How far people who did the same tasks agree: on the outcome, and on the way.

Two ways are aligned step by step (`analysis/compare/alignment.py`). Their agreement is the similarity of what
stands in a row, summed up and divided by the number of rows: 1 for the same way, and a step that only one of
them took counts 0. Ways of several people agree as much as their pairs do on average. Of several attempts of
one person at a task only the first counts: how far somebody agrees with herself is another question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean

import msgspec

from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.told_acts import acts
from webbench.core.benchmark.benchmark import Benchmark, ComparesAnnotators
from webbench.core.json_types import JsonObject
from webbench.core.people.baselines.trials import Trial
from webbench.core.statistics.estimates import Cluster, Estimate, clustered_mean
from webbench.core.statistics.figures import Table
from webbench.core.statistics.inter_rater import krippendorff_alpha, percent

SCALE = (1, 2, 3, 4, 5)
"""What people answer of difficulty and confidence."""


class WayAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """The ways of everybody who did a task.

    Attributes:
        steps: of each, in the order of `people`.
        agreement: mean of the pairs, from 0 to 1.
        same: mean share of the rows of a pair in which both do the same.
        least: of the two people who agree least.
        core, rows: rows that everybody has a step in, of all rows of the alignment of all.
    """

    task: str
    people: tuple[str, ...]
    steps: tuple[int, ...]
    agreement: float
    same: float
    least: float
    core: int
    rows: int
    cluster: Cluster
    episodes: tuple[str, ...] = ()


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Over all tasks that several people did.

    Attributes:
        tasks: so many; pairs of people on them.
        outcome, outcome_alpha: whether they solve the same tasks: share of agreeing pairs, Krippendorff; both
            clustered by template. Of `outcome.n` tasks, those with two scored attempts or more.
        difficulty, confidence: what they answered from 1 to 5: Krippendorff's alpha, ordinal, over tasks
            that two people or more answered for.
        ways: mean over tasks of the agreement of their ways, clustered by template.
        own: the benchmark's own measure, as its literature has it; None where it has none.
    """

    tasks: int
    pairs: int
    outcome: Estimate
    outcome_alpha: Estimate
    difficulty: Estimate
    confidence: Estimate
    ways: Estimate
    by_task: tuple[WayAgreement, ...]
    own: Table | None = None


def agreement(
    trials: Sequence[Trial], benchmark: Benchmark | None = None, *, rules: str = "published", seed: int = 0
) -> Agreement | None:
    """None where no task was done by two people. Raises `BadData` as the benchmark's own measure does."""
    several = _by_several(trials)
    if not several:
        return None
    outcomes = _answers(several, lambda one: one.success)
    clusters = {"\n".join(task): found[0].cluster for task, found in several.items()}

    def rated(answer: Callable[[Trial], int | None]) -> Estimate:
        return krippendorff_alpha(_answers(several, answer), seed=seed, order=SCALE, clusters=clusters)

    ways = [way for task, found in several.items() if (way := way_agreement(task[0], found)) is not None]
    return Agreement(
        tasks=len(several),
        pairs=sum(len(found) * (len(found) - 1) // 2 for found in several.values()),
        outcome=percent(outcomes, seed=seed, clusters=clusters),
        outcome_alpha=krippendorff_alpha(outcomes, seed=seed, clusters=clusters),
        difficulty=rated(lambda one: one.difficulty),
        confidence=rated(lambda one: one.confidence),
        ways=clustered_mean([way.agreement for way in ways], [way.cluster for way in ways], seed=seed),
        by_task=tuple(ways),
        own=_own(trials, benchmark, rules),
    )


def _answers(
    several: Mapping[tuple[str, str], Sequence[Trial]], answer: Callable[[Trial], float | None]
) -> dict[str, dict[str, float]]:
    """Of each person what is known of each task."""
    found: dict[str, dict[str, float]] = {}
    for task, trials in several.items():
        for one in trials:
            if (value := answer(one)) is not None:
                found.setdefault(one.who, {})["\n".join(task)] = value
    return found


def _by_several(trials: Sequence[Trial]) -> dict[tuple[str, str], list[Trial]]:
    """The first attempt of each person at every task (and instruction) that two or more did."""
    found: dict[tuple[str, str], dict[str, Trial]] = {}
    for one in trials:
        found.setdefault((one.task, one.instruction), {}).setdefault(one.who, one)
    return {task: list(by.values()) for task, by in found.items() if len(by) > 1}


def _own(trials: Sequence[Trial], benchmark: Benchmark | None, rules: str) -> Table | None:
    if not isinstance(benchmark, ComparesAnnotators):
        return None
    runs = {(one.who, one.run) for one in trials}
    several = {who for who, times in Counter(who for who, _ in runs).items() if times > 1}
    evidence: dict[str, list[JsonObject]] = {}
    for one in trials:
        name = f"{one.who} in {one.run}" if one.who in several else one.who
        if one.evidence:
            evidence.setdefault(name, []).append(one.evidence)
    return benchmark.agreement(evidence, rules)


def way_agreement(task: str, trials: Sequence[Trial]) -> WayAgreement | None:
    """None where fewer than two of the records have steps."""
    walked = [one for one in trials if one.walk]
    if len(walked) < 2:
        return None
    walks = [acts(one.walk) for one in walked]
    pairs = [_pair(one, other) for one, other in combinations(walks, 2)]
    rows = align(walks).rows
    return WayAgreement(
        task=task,
        people=tuple(one.who for one in walked),
        steps=tuple(len(one.walk) for one in walked),
        agreement=fmean(value for value, _ in pairs),
        same=fmean(same for _, same in pairs),
        least=min(value for value, _ in pairs),
        core=sum(None not in row.places for row in rows),
        rows=len(rows),
        cluster=walked[0].cluster,
        episodes=tuple(one.name for one in walked),
    )


def _pair(one: Sequence[Moment], other: Sequence[Moment]) -> tuple[float, float]:
    """Agreement and share of rows that are the same; symmetric, as alignment is."""
    rows = align([one, other]).rows
    alike = sum(row.similarity for row in rows if not row.alone)
    return alike / len(rows), sum(row.same for row in rows) / len(rows)
