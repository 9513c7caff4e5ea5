"""Lists of runs and episodes with what people hold their scores to be, beside what was scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from webbench.core.errors import BadData
from webbench.core.labels.corrections import corrected, corrected_means
from webbench.core.labels.ledger import Book, Ledger
from webbench.core.store.summaries import EpisodeSummary, RunSummary


def corrected_episodes(ledger: Ledger, episodes: Iterable[EpisodeSummary]) -> list[EpisodeSummary]:
    """The same with `corrected` and `dispute` of those whose score somebody disputes."""
    book, found = _book(ledger), list(episodes)
    disputed = {(one.run, one.episode) for one in book.disputes}
    if not disputed:
        return found
    return [_corrected(book, one) if (one.run, one.episode) in disputed else one for one in found]


def corrected_runs(
    ledger: Ledger, runs: Sequence[RunSummary], episodes: Callable[[str], Iterable[EpisodeSummary]]
) -> list[RunSummary]:
    """The same with the corrected mean of those in which a score is disputed.

    Args:
        episodes: gives those of a run; asked for runs with a dispute only.
    """
    book = _book(ledger)
    disputed = {one.run for one in book.disputes}
    found = []
    for run in runs:
        if run.run not in disputed:
            found.append(run)
            continue
        means = corrected_means(book, [(one.run, one.episode, one.value) for one in episodes(run.run)])
        found.append(
            msgspec.structs.replace(
                run,
                corrected_mean=means.corrected,
                corrected=means.corrected_count,
                disputed=means.disputed,
                unconfirmed=means.unconfirmed,
            )
        )
    return found


def _book(ledger: Ledger) -> Book:
    """Nothing where the labels are those of a newer release: lists must open all the same."""
    try:
        return ledger.book()
    except BadData:
        return Book()


def _corrected(book: Book, one: EpisodeSummary) -> EpisodeSummary:
    verdict = corrected(book, one.run, one.episode, one.value)
    return msgspec.structs.replace(one, corrected=verdict.corrected, dispute=verdict.why)
