"""Which recorded attempts at a task there are to compare one with."""

from __future__ import annotations

from webbench.core.store.store import Store
from webbench.core.store.summaries import EpisodeSummary


def other_attempts(store: Store, episode: EpisodeSummary) -> tuple[EpisodeSummary, ...]:
    """The other episodes of its task that can be read: people's first, then other agents', newest first."""
    same_task = (
        one
        for one in store.attempts(episode.benchmark)
        if one.task == episode.task
        and (one.run, one.episode) != (episode.run, episode.episode)
        and one.state != "unreadable"
    )
    newest = sorted(same_task, key=lambda one: one.started, reverse=True)
    return tuple(sorted(newest, key=lambda one: (one.actor != "human", one.actor == episode.actor)))
