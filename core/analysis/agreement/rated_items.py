"""Rated items: the places whose labels agreement is counted of, and why others are left out.

Only episodes that two raters or more are done with are looked at. A place, an episode or a step of one, is an
item where one of them gave it a code. Those of them who gave none there said "no code": they went through the
episode and passed it by. A place that nobody labelled is no item. To count it as agreement would make raters
agree the more, the more steps an episode has.

Where a code was split, and a rater's label of it waits to be read again, its parts count as the whole in that
episode: she may have meant either. Rows of the parts leave such places out.

Of an ordered question, "no code" and codes that stand off the scale have no rank: they are gaps, and an item
with fewer than two ranked answers is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Literal

import msgspec

from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Question, Taxonomy

NO_CODE = "no code"
"""What a rater says who is done with the episode and did not label the place. No code is called so: names of
codes have no blank."""

Unit = Literal["episode", "step", "any step"]
"""What an item is; "any step" is an episode, and whether a code was given to any step of it."""

Episode = tuple[str, str]
"""Run and episode."""

Answers = Mapping[str, Mapping[str, frozenset[str]]]
"""Rater -> item -> codes; a rater who isn't done with the item's episode has no answer to it."""


class RatedItems(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of raters to one question about one kind of place.

    Attributes:
        answers: rater -> item -> codes; every item has a code of some rater, and answers of two or more.
        clusters: the episode of each item; `steps`: which step of it each is, empty for whole episodes.
        unlabelled: places of the same episodes that nobody labelled; they are left out.
        wholes: of each part the code that was split into it.
    """

    unit: Unit
    answers: Answers
    clusters: dict[str, str]
    steps: dict[str, int] = {}
    unlabelled: int = 0
    wholes: Mapping[str, str] = {}

    def of(self, raters: Iterable[str]) -> RatedItems:
        """The same between these raters alone."""
        answers = {who: self.answers[who] for who in raters if who in self.answers}
        return _labelled(self.unit, answers, self.clusters, self.steps, self.wholes)

    def whole(self) -> dict[str, dict[str, str]]:
        """Each answer as one label; several codes of one place are compared as a set."""
        return {
            who: {item: " + ".join(sorted(codes)) or NO_CODE for item, codes in by.items()}
            for who, by in self.answers.items()
        }

    def given(self, code: str) -> dict[str, dict[str, bool]]:
        """Whether each rater gave this code, or a part of it; not where the whole may be meant for it."""
        above = set(_above(code, self.wholes))
        unread = {item for by in self.answers.values() for item, codes in by.items() if codes & above}
        return {
            who: {
                item: any(code in (one, *_above(one, self.wholes)) for one in codes)
                for item, codes in by.items()
                if item not in unread
            }
            for who, by in self.answers.items()
        }

    def ranked(self, scale: Sequence[str]) -> dict[str, dict[str, str]]:
        """The answers that stand on the scale, of items with two of them or more."""
        answers = {
            who: {item: code for item, code in by.items() if code in scale}
            for who, by in self.whole().items()
        }
        times = Counter(item for by in answers.values() for item in by)
        return {
            who: {item: code for item, code in by.items() if times[item] > 1} for who, by in answers.items()
        }


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """The episodes of one taxonomy that two raters or more are done with, and their labels.

    Attributes:
        raters: of each episode, who is done with it.
        labels: of raters who are done; what was settled between them is not among them.
        waiting: episodes that somebody labelled or is done with, and no two are done with.
    """

    raters: dict[Episode, tuple[str, ...]]
    labels: tuple[Label, ...]
    waiting: int


def finished(
    book: Book, taxonomy: Taxonomy, episodes: Iterable[Episode], among: Sequence[str] = ()
) -> Finished:
    """What can be compared in these episodes.

    Args:
        among: these raters only; empty for everybody.
    """
    known = set(episodes)
    through: dict[Episode, set[str]] = {}
    for run, episode, name, who in book.done:
        if name == taxonomy.name and (run, episode) in known and (not among or who in among):
            through.setdefault((run, episode), set()).add(who)
    raw = [
        one
        for one in book.labels
        if one.taxonomy == taxonomy.name and not one.settles and (one.run, one.episode) in known
    ]
    shared = {where: tuple(sorted(who)) for where, who in sorted(through.items()) if len(who) > 1}
    begun = {(one.run, one.episode) for one in raw} | set(through)
    return Finished(
        raters=shared,
        labels=tuple(one for one in raw if one.annotator in shared.get((one.run, one.episode), ())),
        waiting=len(begun - set(shared)),
    )


def rated_items(
    found: Finished, question: Question, unit: Unit, last_steps: Mapping[Episode, int]
) -> RatedItems:
    """The items of a question: whole episodes, or steps from 0 to an episode's last."""
    answers: dict[str, dict[str, frozenset[str]]] = {}
    clusters: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for where, raters in found.raters.items():
        steps = {} if unit == "episode" else {_name(where, at): at for at in range(last_steps[where] + 1)}
        numbers |= steps
        items = list(steps) or [_name(where)]
        clusters.update(dict.fromkeys(items, _name(where)))
        for who in raters:
            answers.setdefault(who, {}).update(dict.fromkeys(items, frozenset()))
    for one in found.labels:
        item = _name((one.run, one.episode), one.step)
        if one.question == question.name and item in answers[one.annotator]:
            answers[one.annotator][item] |= {one.code}
    wholes = {part: code.name for code in question.codes for part in code.split_into}
    return _labelled(unit, _by_the_whole(answers, clusters, wholes), clusters, numbers, wholes)


def rolled_up(steps: RatedItems, episodes: int) -> RatedItems:
    """Steps rolled up: one item an episode, with all codes that a rater gave to any of its steps.

    Args:
        episodes: how many there are; those without any labelled step are left out.
    """
    answers: dict[str, dict[str, frozenset[str]]] = {}
    for who, by in steps.answers.items():
        own = answers.setdefault(who, {})
        for item, codes in by.items():
            own[steps.clusters[item]] = own.get(steps.clusters[item], frozenset()) | codes
    items = sorted(set(steps.clusters.values()))
    return RatedItems(
        unit="any step",
        answers=answers,
        clusters={item: item for item in items},
        unlabelled=episodes - len(items),
        wholes=steps.wholes,
    )


def _by_the_whole(answers: Answers, clusters: Mapping[str, str], wholes: Mapping[str, str]) -> Answers:
    """In episodes where a split code still stands, its parts as that code."""
    standing: dict[str, set[str]] = {}
    for by in answers.values():
        for item, codes in by.items():
            standing.setdefault(clusters[item], set()).update(codes.intersection(wholes.values()))
    return {
        who: {
            item: frozenset(_whole(code, standing[clusters[item]], wholes) for code in codes)
            for item, codes in by.items()
        }
        for who, by in answers.items()
    }


def _whole(code: str, standing: Set[str], wholes: Mapping[str, str]) -> str:
    """The largest code that it is a part of and that still stands, else itself."""
    return next((one for one in reversed([*_above(code, wholes)]) if one in standing), code)


def _above(code: str, wholes: Mapping[str, str]) -> Iterator[str]:
    """The code that was split into this one, what was split into that one, and so on; each once."""
    seen = {code}
    while (code := wholes.get(code, "")) and code not in seen:
        seen.add(code)
        yield code


def _name(episode: Episode, step: int | None = None) -> str:
    return "/".join(episode) + ("" if step is None else f" step {step:06}")


def _labelled(
    unit: Unit,
    answers: Answers,
    clusters: Mapping[str, str],
    steps: Mapping[str, int],
    wholes: Mapping[str, str],
) -> RatedItems:
    """Items that two are done with and somebody labelled."""
    times = Counter(item for by in answers.values() for item in by)
    shared = {item for item, count in times.items() if count > 1}
    kept = {item for by in answers.values() for item, codes in by.items() if codes} & shared
    return RatedItems(
        unit=unit,
        answers={who: {item: by[item] for item in by if item in kept} for who, by in answers.items()},
        clusters={item: clusters[item] for item in sorted(kept)},
        steps={item: steps[item] for item in sorted(kept) if item in steps},
        unlabelled=len(shared - kept),
        wholes=wholes,
    )
