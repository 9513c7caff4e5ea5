"""Corrected lists of runs and episodes: what people hold scores to be, beside what was scored."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from webbench.core.errors import BadData
from webbench.core.labels.corrections import corrected, corrected_means
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary, in_the_mean
from webbench.core.store.store import Store


def corrected_episodes(store: Store, episodes: Iterable[EpisodeSummary]) -> list[EpisodeSummary]:
    """The same with `corrected` and `dispute` of those whose score somebody disputes."""
    book, found = _book(store), list(episodes)
    disputed = {(one.run, one.episode) for one in book.disputes}
    if not disputed:
        return found
    return [_corrected(book, one) if (one.run, one.episode) in disputed else one for one in found]


def corrected_runs(store: Store) -> list[RunSummary]:
    """All runs, newest first, with the corrected mean of those in which a score is disputed."""
    book = _book(store)
    disputed = {one.run for one in book.disputes}
    return [_corrected_run(book, run, store) if run.run in disputed else run for run in store.runs()]


def _book(store: Store) -> Book:
    """Nothing where the labels are those of a newer release: lists must open all the same."""
    try:
        return ledger_of(store).book()
    except BadData:
        return Book()


def _corrected(book: Book, one: EpisodeSummary) -> EpisodeSummary:
    verdict = corrected(book, one.run, one.episode, one.value)
    return msgspec.structs.replace(one, corrected=verdict.corrected, dispute=verdict.why)


def _corrected_run(book: Book, run: RunSummary, store: Store) -> RunSummary:
    counting = in_the_mean(store.episodes(run.run))
    means = corrected_means(book, [(one.run, one.episode, one.value) for one in counting])
    return msgspec.structs.replace(
        run,
        corrected_mean=means.corrected,
        corrected=means.corrected_count,
        disputed=means.disputed,
        unconfirmed=means.unconfirmed,
    )
