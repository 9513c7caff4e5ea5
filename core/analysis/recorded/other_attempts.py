"""The other attempts at a task that are recorded, to compare one with; and those of whole runs by task."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.analysis.recorded.gold_trajectory import GoldTrajectories
from webbench.core.labels.corrected_lists import corrected_episodes
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.store import Store


def other_attempts(store: Store, episode: EpisodeSummary) -> tuple[EpisodeSummary, ...]:
    """The other episodes of its task that can be read: people's first, then other agents', newest first.

    The task's gold trajectory comes before all, once the episode has ended.
    """
    same_task = (
        one
        for one in store.attempts(episode.benchmark)
        if one.task == episode.task
        and (one.run, one.episode) != (episode.run, episode.episode)
        and one.state != "unreadable"
    )
    gold, _ = GoldTrajectories(store).told_of(episode.benchmark, episode.task)
    best = gold.name if gold is not None and episode.state == "ended" else ""
    newest = sorted(corrected_episodes(store, same_task), key=lambda one: one.started, reverse=True)
    return tuple(
        sorted(
            newest,
            key=lambda one: (
                f"{one.run}/{one.episode}" != best,
                one.actor != "human",
                one.actor == episode.actor,
            ),
        )
    )


def attempts_by_task(store: Store, runs: Iterable[str]) -> dict[str, list[EpisodeSummary]]:
    """The attempts of these runs that count, in order of runs and episodes, by id of the task.

    Raises `UsageError` for an unknown run.
    """
    found: dict[str, list[EpisodeSummary]] = {}
    for run in runs:
        episodes = [one for one in store.episodes(run) if one.state != "unreadable"]
        last = {one.order: one.attempt for one in sorted(episodes, key=lambda one: one.attempt)}
        for one in episodes:
            if one.attempt == last[one.order]:
                found.setdefault(one.task, []).append(one)
    return found
