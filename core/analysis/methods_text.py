"""How the figures of an analysis came about, in sentences that can go into a paper."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.statistics.estimates import EXACT_CLUSTERS, LEVEL, RESAMPLES
from webbench.core.task import Task
from webbench.core.text.plural import counted

MOST_NAMED = 4
FEW_CLUSTERS = 30
"""Below so many the percentile bootstrap covers noticeably less than it says."""


def methods_of(runs: Sequence[RecordedRun], seed: int) -> tuple[str, ...]:
    """Intervals, clusters, tests, seeds, evaluators, versions and data."""
    episodes = [one for run in runs for one in run.episodes]
    return (
        f"Intervals are {100 * LEVEL:.0f} %: Wilson's score interval for success rates (tasks taken as "
        f"independent), and percentile ones of a cluster bootstrap ({RESAMPLES:,} resamples, seed {seed}) "
        "for success rates and mean scores; where all values are alike a bootstrap has no interval.",
        _clusters(episodes) + few_clusters(*(len({one.cluster for one in run.scored}) for run in runs)),
        "Two runs are compared on the tasks that both have scored: McNemar's exact test on what was solved "
        "(tasks taken as independent), and a paired permutation test that flips the signs of whole clusters "
        f"(every flip up to {EXACT_CLUSTERS} clusters, else {RESAMPLES:,} at random, seed {seed}). With "
        "several pairs p is also corrected by Holm's method.",
        "Episodes without a score (pending, not scored, error, no end) are in no rate and no comparison; "
        "their number is told. Mean scores average several scored episodes of a task; it counts as solved "
        "where each of them reached 1.",
        *_other_rules(episodes),
        *(_pool(run) for run in runs if run.pooled),
        *_unlike(runs),
        *_disputes(episodes),
        *(_run(run) for run in runs),
    )


def _pool(run: RecordedRun) -> str:
    return (
        f"{run.run} counts {counted(len(run.pooled), 'run')} ({', '.join(run.pooled)}) as one actor: what "
        "they recorded of the same task are repeats of it, and are drawn together."
    )


def _other_rules(episodes: Sequence[Recorded]) -> tuple[str, ...]:
    """A warning where scores are not of one rule set and one version of the evaluator."""
    scores = [one.header.score for one in episodes if one.header.score is not None and one.value is not None]
    found = dict.fromkeys((score.rules, score.evaluator) for score in scores)
    if len(found) < 2:
        return ()
    told = " and ".join(f"{rules} ({evaluator or 'evaluator not told'})" for rules, evaluator in found)
    return (f"Beware: scores are of different rules or evaluators: {told}. Their rates don't compare.",)


def _unlike(runs: Sequence[RecordedRun]) -> tuple[str, ...]:
    """A warning where runs have recorded other intents, inputs or gold data under the same name of a task."""
    tasks: dict[str, list[Task]] = {}
    for run in runs:
        for one in {one.task.id: one.task for one in run.episodes}.values():
            tasks.setdefault(one.id, []).append(one)
    unlike = [
        name
        for name, found in tasks.items()
        if any(
            (one.intent, one.data) != (found[0].intent, found[0].data)
            or len({msgspec.json.encode(one.gold, order="sorted") for one in found if one.gold}) > 1
            for one in found
        )
    ]
    if not unlike:
        return ()
    named = ", ".join(unlike[:MOST_NAMED]) + (", …" if len(unlike) > MOST_NAMED else "")
    return (
        f"Beware: the runs have recorded {counted(len(unlike), 'task')} differently (intent, inputs or gold "
        f"data): {named}. On these they may not have been asked the same.",
    )


def _disputes(episodes: Sequence[Recorded]) -> tuple[str, ...]:
    disputed = [one.verdict for one in episodes if one.verdict is not None and one.verdict.is_disputed]
    if not disputed:
        return ()
    changed = sum(verdict.differs for verdict in disputed)
    return (
        f"{counted(len(disputed), 'score')} of the evaluator's are disputed by people, {changed} of them are "
        "changed by it. Figures are as scored; a letter with a star, and what is called corrected, takes "
        "people's values.",
    )


def _clusters(episodes: Sequence[Recorded]) -> str:
    tasks = {one.task.id: one.task for one in episodes}
    templates = {task.template for task in tasks.values() if task.template}
    if not templates:
        return f"No task names a template: every task is a cluster of its own, {len(tasks)} in all."
    alone = sum(not task.template for task in tasks.values())
    told = f"; {counted(alone, 'task')} without one stand alone" if alone else ""
    return (
        f"Clusters are intent templates: {counted(len(templates), 'template')} for "
        f"{counted(len(tasks), 'task')}{told}."
    )


def few_clusters(*counts: int) -> str:
    """A warning where intervals by bootstrap can't keep what they promise; else ""."""
    few = [count for count in counts if 1 < count < FEW_CLUSTERS]
    if not few:
        return ""
    return (
        f" With few of them (here {counted(min(few), 'scored cluster')}) bootstrap intervals come out "
        f"narrower than {100 * LEVEL:.0f} % intervals should be."
    )


def _run(run: RecordedRun) -> str:
    headers = [one.header for one in run.episodes]
    scores = [header.score for header in headers if header.score is not None]
    parts = [
        f"Run {run.run}: {counted(len(run.episodes), 'episode')} by {run.agent or 'nobody'}",
        _named("rules", (score.rules for score in scores)),
        _named("evaluator", (score.evaluator for score in scores)),
        _named("seed", (str(header.seed) for header in headers)),
        *(
            _named(name, (header.versions.get(name, "") for header in headers))
            for name in dict.fromkeys(name for header in headers for name in header.versions)
        ),
        _named("begun", (header.started[:10] for header in headers)),
        f"tasks SHA-256 {tasks_sha256(one.task for one in run.episodes)[:16]}",
    ]
    gold = dict.fromkeys(score.data_sha256 for score in scores if score.data_sha256)
    parts += [f"gold data SHA-256 {_together(gold)[:16]}"] if gold else []
    return "; ".join(filter(None, parts)) + "."


def tasks_sha256(tasks: Iterable[Task]) -> str:
    """Of what the tasks are and what is held against them, whatever their order; each counts once."""
    from webbench.core.store.records import codec

    return _together({hashlib.sha256(codec.encode(task)).hexdigest() for task in tasks})


def _together(hashes: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def _named(what: str, values: Iterable[str]) -> str:
    """ "rules published", "seeds 1, 2, 3 and 40 more"; "" where nothing is known."""
    found = [value for value, _ in Counter(filter(None, values)).most_common()]
    if not found:
        return ""
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"{what} {', '.join(found[:MOST_NAMED])}{more}"
