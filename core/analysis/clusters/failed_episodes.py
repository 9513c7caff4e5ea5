"""The words of the episodes that failed, of named places or of whole runs, ready to be clustered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webbench.core.analysis.clusters.episode_words import EpisodeWords, episode_words
from webbench.core.errors import BadData
from webbench.core.store.store import Store

Place = tuple[str, str]
"""Run and episode."""


def failed_episodes(
    store: Store, places: Iterable[Place], problems: list[str], *, everything: bool = False
) -> list[EpisodeWords]:
    """Those that did not reach 1, in the given order.

    Args:
        problems: is told which episode can't be read, and why.
        everything: also those that were solved.
    """
    solved = {(one.run, one.episode) for one in store.episodes() if one.value == 1}
    found = []
    for run, episode in places:
        if (run, episode) in solved and not everything:
            continue
        try:
            found.append(episode_words(run, episode, store.load(store.root / run / episode)))
        except BadData as error:
            problems.append(str(error))
    return found


def places_of(store: Store, runs: Sequence[str]) -> list[Place]:
    """The readable episodes of runs, in order."""
    return [
        (one.run, one.episode)
        for run in dict.fromkeys(runs)
        for one in store.episodes(run)
        if one.state != "unreadable"
    ]
