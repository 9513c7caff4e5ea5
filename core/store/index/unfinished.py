"""Unfinished episodes: what a person began, left or lost, and can go on with."""

from __future__ import annotations

import msgspec

from webbench.core.errors import BadData
from webbench.core.score.score import Status
from webbench.core.store.index.filters import EpisodeFilter
from webbench.core.store.index.summaries import EpisodeSummary, UnfinishedEpisode, UnfinishedEpisodes
from webbench.core.store.records.reader import read_run
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

OF_A_BATCH, OF_A_STUDY = "workers", "study"
"""Settings that only runs of these have."""


def unfinished(store: Store) -> UnfinishedEpisodes:
    """Look through the store. An episode is unfinished when it has no end and nobody plays it now.

    Left out are those in which nobody did anything, and those that a later episode has repeated to their end
    and goes on from.
    """
    resumed = store.resumed()
    found, of_batches, of_studies = [], 0, 0
    for one in store.select(EpisodeFilter(status="interrupted")):
        if one.state != "interrupted" or one.episode in resumed:
            continue
        settings = _settings(store, one.run)
        if OF_A_BATCH in settings:
            of_batches += 1
        elif OF_A_STUDY in settings:
            of_studies += 1
        elif (looked_at := _looked_at(store, one)) is not None:
            found.append(looked_at)
    found.sort(key=lambda one: one.at or one.started, reverse=True)
    return UnfinishedEpisodes(episodes=tuple(found), of_batches=of_batches, of_studies=of_studies)


def _settings(store: Store, run: str) -> dict[str, object]:
    try:
        return dict(read_run(store.root / run).settings)
    except BadData:
        return {}


def _looked_at(store: Store, summary: EpisodeSummary) -> UnfinishedEpisode | None:
    """The episode with its progress; None where nobody did anything in it."""
    told = UnfinishedEpisode(
        run=summary.run,
        episode=summary.episode,
        benchmark=summary.benchmark,
        task=summary.task,
        name=summary.name,
        instance=summary.instance,
        intent=summary.intent,
        actor=summary.actor,
        started=summary.started,
        problem=summary.problem,
    )
    try:
        trajectory = store.load(store.root / summary.run / summary.episode)
    except BadData as error:
        return msgspec.structs.replace(told, problem=error.message)
    steps = trajectory.steps
    if not any(step.is_work for step in steps):
        return None
    limit = trajectory.header.settings.get("step_limit")
    return msgspec.structs.replace(
        told,
        at=steps[-1].at,
        actions=_actions(steps),
        step_limit=limit if isinstance(limit, int) else 0,
        score=next((step.score for step in reversed(steps) if _is_shown(step)), None),
    )


def _actions(steps: tuple[Step, ...]) -> int:
    """Of a record that is older than the count: steps with an action."""
    return steps[-1].limit_count or sum(step.acted for step in steps)


def _is_shown(step: Step) -> bool:
    return step.score is not None and step.score.status is not Status.NOT_SCORED
