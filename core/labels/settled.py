"""Settled labels: which labels count where somebody decided between raters, and which codes hold by them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from webbench.core.labels.label import Label

Episode = tuple[str, str]
"""Run and episode."""
Answer = TypeVar("Answer")


class Settled(msgspec.Struct, frozen=True):
    """Of one question: the codes that are settled, by episode, and episodes in which something is open.

    Of an episode in which a place is open no code is settled.
    """

    codes: dict[Episode, set[str]]
    still_open: set[Episode]


def settled(labels: Iterable[Label], done: Mapping[Episode, Sequence[str]]) -> Settled:
    """What is settled of one question's labels.

    A place is settled where somebody decided, or where all annotators who are done with the episode gave the
    same; one alone is all. Who is done and gave none there said "none".

    Args:
        done: who is done with each episode.
    """
    places: dict[tuple[Episode, int | None], list[Label]] = defaultdict(list)
    for label in labels:
        places[(label.run, label.episode), label.step].append(label)
    codes: dict[Episode, set[str]] = defaultdict(set)
    still_open: set[Episode] = set()
    for (episode, _), given in places.items():
        holding = counting(given)
        answers: dict[str, set[str]] = {who: set() for who in done.get(episode, ())}
        for label in holding:
            if not label.settles:
                answers.setdefault(label.annotator, set()).add(label.code)
        said = {frozenset(one) for one in answers.values()}
        if len(said) > 1:
            still_open.add(episode)
        else:
            codes[episode] |= {label.code for label in holding} - {""}
    return Settled({one: own for one, own in codes.items() if one not in still_open}, still_open)


def counting(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels that tables count, in order: a settled one in place of those that it decides between.

    Of two decisions on the same question about the same place the later one counts. Raters' own labels stay
    where they are kept; they count wherever nobody decided.
    """
    given = tuple(labels)
    decided: dict[tuple[object, ...], Label] = {}
    for one in given:
        if one.settles and (_asked(one) not in decided or decided[_asked(one)].at <= one.at):
            decided[_asked(one)] = one
    return tuple(one for one in given if decided.get(_asked(one), one) is one)


def most_say(answers: Mapping[Episode, Iterable[Answer]]) -> dict[Episode, Answer]:
    """The most frequent answer on each episode; nothing where two are as frequent."""
    found: dict[Episode, Answer] = {}
    for place, given in answers.items():
        (first, most), *others = Counter(given).most_common(2)
        if not others or others[0][1] < most:
            found[place] = first
    return found


def _asked(label: Label) -> tuple[object, ...]:
    """What can be settled: the label's key but for whose it is."""
    *asked, _annotator, _settles = label.key
    return tuple(asked)
