"""Saturation: how many new codes each further episode brought, in the order in which they were read."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.visibility import sight
from webbench.core.statistics.figures import Bar, Bars


class SaturationPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One episode that was read.

    Attributes:
        number: its place in the order of reading, from 1.
        episode: "run/episode".
        new: codes ("question.code") that no earlier episode has.
        total: codes found so far, these among them.
    """

    number: int
    episode: str
    new: tuple[str, ...]
    total: int


def saturation(
    book: Book,
    taxonomy: Taxonomy,
    annotator: str = "",
    *,
    among: Collection[tuple[str, str]] | None = None,
) -> tuple[SaturationPoint, ...]:
    """New codes by episode, episodes in the order in which they were first read.

    An episode is read when it gets its first label, or is done with without any: one that is labelled anew
    keeps its place. Codes are those that hold now, as the taxonomy has them: what was merged counts once.

    Args:
        annotator: whose own labels count though she is not done; else only what may be seen by all.
        among: (run, episode) of those that are looked at; None for all.
    """
    seen = sight(book, annotator, [one for one in book.labels if one.taxonomy == taxonomy.name])
    begun: dict[tuple[str, str], str] = {}

    def read(place: tuple[str, str], who: str, at: str) -> None:
        first = min(at, book.first.get((*place, taxonomy.name, who), at))
        begun[place] = min(first, begun.get(place, first))

    given: dict[tuple[str, str], dict[str, None]] = {}
    for label in sorted(seen.labels, key=lambda one: one.at):
        place = (label.run, label.episode)
        if among is not None and place not in among:
            continue
        read(place, label.annotator, label.at)
        if label.code:
            given.setdefault(place, {})[f"{label.question}.{label.code}"] = None
    for done in sorted(book.finished, key=lambda one: one.at):
        place = (done.run, done.episode)
        if done.taxonomy == taxonomy.name and (among is None or place in among):
            read(place, done.annotator, done.at)
    known: set[str] = set()
    points = []
    for number, place in enumerate(sorted(begun, key=lambda one: (begun[one], one)), 1):
        new = tuple(code for code in given.get(place, ()) if code not in known)
        known.update(new)
        points.append(SaturationPoint(number=number, episode="/".join(place), new=new, total=len(known)))
    return tuple(points)


def saturation_bars(points: tuple[SaturationPoint, ...]) -> Bars:
    """The points as bars: A the new codes of each episode, B all codes found by then."""
    bars = []
    all_codes = points[-1].total if points else 0
    for point in points:
        group = f"{point.number}"
        bars.append(Bar(group=group, actor="A", value=len(point.new), n=all_codes, episodes=(point.episode,)))
        bars.append(Bar(group=group, actor="B", value=point.total, n=all_codes, episodes=(point.episode,)))
    return Bars(
        title="Codes by episodes read",
        unit="count",
        over="episodes",
        bars=tuple(bars),
        note="A: codes that no earlier episode has. B: codes found so far. Where A stays at 0, reading on "
        "brings nothing new.",
    )
