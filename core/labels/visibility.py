"""Visibility of labels: nobody sees another's of an episode before both are done with it.

What an annotator has seen of others would no longer be her own judgement, and agreement would mean nothing.
The files themselves are plain text: this keeps honest people blind, it locks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

import msgspec

from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book

Place = tuple[str, str, str]
"""Run, episode, taxonomy."""


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """Labels that may be shown, and how many may not yet be, by run, episode and taxonomy."""

    labels: tuple[Label, ...]
    hidden: dict[Place, int]


def sight(book: Book, annotator: str = "", labels: Iterable[Label] | None = None) -> Sight:
    """What this annotator may see; without a name, what nobody may be swayed by any more.

    Args:
        labels: only these, None for all of the book.
    """
    asked = book.labels if labels is None else tuple(labels)
    involved = _involved(book, {_place(label) for label in asked})
    shown: list[Label] = []
    hidden: dict[Place, int] = {}
    for label in asked:
        place = _place(label)
        if _may_see(book, involved, label, annotator):
            shown.append(label)
        else:
            hidden[place] = hidden.get(place, 0) + 1
    return Sight(labels=tuple(shown), hidden=hidden)


def open_labels(book: Book) -> dict[tuple[str, str], list[Label]]:
    """What nobody may be swayed by any more, by run and episode: for many episodes at once."""
    found: dict[tuple[str, str], list[Label]] = {}
    for label in sight(book).labels:
        found.setdefault((label.run, label.episode), []).append(label)
    return found


def through(book: Book, place: Place) -> list[str]:
    """The annotators who are done with it, in alphabetical order."""
    return sorted(who for *where, who in book.done if tuple(where) == place)


def done_with(book: Book, taxonomy: str) -> dict[tuple[str, str], list[str]]:
    """The annotators who are done with each episode by this taxonomy: for many episodes at once."""
    found: dict[tuple[str, str], list[str]] = {}
    for run, episode, name, who in sorted(book.done):
        if name == taxonomy:
            found.setdefault((run, episode), []).append(who)
    return found


def not_through(book: Book, place: Place) -> list[str]:
    """Those who labelled it and aren't done, in alphabetical order."""
    return sorted(_involved(book, {place})[place] - set(through(book, place)))


def _place(label: Label) -> Place:
    return label.run, label.episode, label.taxonomy


def _involved(book: Book, places: Set[Place]) -> dict[Place, set[str]]:
    """Annotators of these places with a label of their own, or done."""
    found: dict[Place, set[str]] = {place: set() for place in places}
    for label in book.labels:
        if not label.settles and (label.run, label.episode, label.taxonomy) in found:
            found[_place(label)].add(label.annotator)
    for run, episode, taxonomy, annotator in book.done:
        if (run, episode, taxonomy) in found:
            found[run, episode, taxonomy].add(annotator)
    return found


def _may_see(book: Book, involved: dict[Place, set[str]], label: Label, annotator: str) -> bool:
    place = _place(label)
    if label.annotator == annotator:
        return True
    if not annotator:
        return all((*place, who) in book.done for who in involved[place])
    authors = label.settles or (label.annotator,)
    return all((*place, who) in book.done for who in (annotator, *authors))
