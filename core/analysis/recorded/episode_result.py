"""The result of an episode: what its score lacks, and the best that people and agents reached on its task."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from webbench.core.labels.corrected_lists import corrected_episodes
from webbench.core.score.explanation import CheckWords, unmet_in_words
from webbench.core.store.index.summaries import EpisodeSummary, summarise
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.core.trajectory import HUMAN, EpisodeHeader


class EpisodeResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one wants to know when an episode has ended.

    Attributes:
        unmet: the checks that count and did not pass.
        attempts: scored attempts at its task in the store, with this one.
        best_human, best_agent: the highest score by one actor alone, then the fewest steps; None for none.
        best_other: the best of all attempts but this one, to compare it with.
    """

    unmet: tuple[CheckWords, ...] = ()
    attempts: int = 0
    best_human: EpisodeSummary | None = None
    best_agent: EpisodeSummary | None = None
    best_other: EpisodeSummary | None = None


def episode_result(store: Store, header: EpisodeHeader) -> EpisodeResult:
    """The result of an ended episode beside the other scored attempts at its task, as people correct them."""
    this = summarise(header, header.run, header.episode)
    others = [
        one for one in store.attempts(this.benchmark) if one.task == this.task and not is_same(one, this)
    ]
    scored = [one for one in corrected_episodes(store, [this, *others]) if one.as_corrected is not None]
    alone = [one for one in scored if not one.mixed]
    return EpisodeResult(
        unmet=tuple(unmet_in_words(header.score.checks)) if header.score is not None else (),
        attempts=len(scored),
        best_human=_best(one for one in alone if one.actor == HUMAN),
        best_agent=_best(one for one in alone if one.actor != HUMAN),
        best_other=_best(one for one in scored if not is_same(one, this)),
    )


def is_same(one: EpisodeSummary, other: EpisodeSummary | EpisodeHeader) -> bool:
    """Whether both are of one episode."""
    return (one.run, one.episode) == (other.run, other.episode)


def best_words(best: EpisodeSummary | None, header: EpisodeHeader) -> str:
    """ "1.000 in 4 steps, agent oracle, run/episode", or that there is none."""
    if best is None or best.as_corrected is None:
        return "none yet"
    score = f"{best.as_corrected:.3f} in {counted(best.steps, 'step')}"
    actor = "" if best.actor == HUMAN else best.actor
    which = "this episode" if is_same(best, header) else f"{best.run}/{best.episode}"
    return ", ".join(filter(None, (score, actor, which)))


def _best(episodes: Iterable[EpisodeSummary]) -> EpisodeSummary | None:
    """The highest score; of several the one with the fewest steps, of these the latest."""
    return max(episodes, default=None, key=lambda one: (one.as_corrected or 0.0, -one.steps, one.started))
