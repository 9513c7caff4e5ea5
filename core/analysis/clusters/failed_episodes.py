"""The words of the episodes that failed, of named places or of whole runs, ready to be clustered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from webbench.core.analysis.clusters.episode_words import EpisodeWords, episode_words
from webbench.core.errors import BadData
from webbench.core.store.store import Store
from webbench.core.text.plural import counted

Place = tuple[str, str]
"""Run and episode."""


class Failures(msgspec.Struct, frozen=True):
    """Episodes that failed, with how many of the others have no score: whether they failed isn't known."""

    episodes: tuple[EpisodeWords, ...]
    unscored: int = 0


def failed_episodes(
    store: Store, places: Iterable[Place], problems: list[str], *, everything: bool = False
) -> Failures:
    """Those that were scored below 1, in the given order.

    Args:
        problems: is told which episode can't be read, and why.
        everything: also those that were solved, and those without a score.
    """
    values = {(one.run, one.episode): one.value for one in store.episodes()}
    found: list[EpisodeWords] = []
    unscored = 0
    for run, episode in places:
        value = values.get((run, episode))
        if not everything and (value is None or value >= 1):
            unscored += value is None
            continue
        try:
            found.append(episode_words(run, episode, store.load(store.root / run / episode)))
        except BadData as error:
            problems.append(str(error))
    return Failures(tuple(found), unscored)


def left_out(unscored: int) -> str:
    """What is told of episodes without a score."""
    return f"{counted(unscored, 'episode')} left out: without a score nobody knows whether it failed"


def places_of(store: Store, runs: Sequence[str]) -> list[Place]:
    """The readable episodes of runs, in order."""
    return [
        (one.run, one.episode)
        for run in dict.fromkeys(runs)
        for one in store.episodes(run)
        if one.state != "unreadable"
    ]
