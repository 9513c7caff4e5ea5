"""How far annotators agree: by question and by code, by pairs of raters, in steps and in segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

import msgspec

from webbench.core.analysis.agreement.located_agreement import LocatedAgreement, located_agreement
from webbench.core.analysis.agreement.rated_items import (
    NO_CODE,
    Episode,
    Finished,
    RatedItems,
    Unit,
    finished,
    rated_items,
    rolled_up,
)
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Question, Taxonomy
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.inter_rater import (
    ConfusionMatrix,
    Labels,
    cohen_kappa,
    confusion_matrices,
    krippendorff_alpha,
    percent,
)

SCHEMA_VERSION = 2
TOLERANCE = 1
"""Steps that two labels may lie apart and still be of one place."""


class CodeAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """One code, given or not given; or, with `code` empty, which of the question's codes.

    Attributes:
        unit: what an item is.
        items: used: labelled by somebody, in episodes that two raters or more are done with. Of the whole of
            an ordered question, those with two answers on its scale.
        unlabelled: places of the same episodes that nobody labelled; they are no items.
        unranked: items with fewer than two answers on an ordered question's scale, left out of its whole.
        unread: items left out of a part's row, as a label of the code that was split into it waits to be
            read again.
        given: how often each rater gave it.
        level: of alpha; "ordinal" for the whole of an ordered question.
        kappa: Cohen's, None with more than two raters; `pairs` has those of each two.
        pairs: two raters each, crossed: the question's codes, or the code and its absence. Items that
            neither of the two labelled are in none.
        differing: episodes in which raters don't all answer alike, as "run/episode".
    """

    question: str
    code: str
    unit: Unit
    items: int
    unlabelled: int
    unranked: int
    unread: int
    given: dict[str, int]
    level: str
    percent: Estimate
    kappa: Estimate
    alpha: Estimate
    pairs: tuple[ConfusionMatrix, ...]
    differing: tuple[str, ...]


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement in one taxonomy, of labels as raters gave them: what was settled later changes nothing.

    Attributes:
        taxonomy, title: its name, and what it is called.
        raters: who is compared.
        episodes: finished by two of them or more.
        waiting: episodes that only some of those who began have finished.
        located: labels of steps, near misses counted, and segments.

    Example:
        >>> import webbench as wb
        >>> found: list[wb.Agreement] = wb.agreement(taxonomy="open")
        >>> [one.raters for one in found]
    """

    taxonomy: str
    title: str
    raters: tuple[str, ...]
    episodes: int
    waiting: int
    codes: tuple[CodeAgreement, ...]
    located: tuple[LocatedAgreement, ...]


def agreement(
    book: Book,
    taxonomy: Taxonomy,
    last_steps: Mapping[Episode, int],
    *,
    annotators: Sequence[str] = (),
    tolerance: int = TOLERANCE,
    seed: int = 0,
) -> Agreement:
    """Percent, Cohen's kappa and Krippendorff's alpha of each code and each question.

    Steps of one episode are not independent: they are drawn by episode.

    Args:
        last_steps: index of the last step of each (run, episode); others are left out.
        annotators: compare these only; empty for everybody.
        tolerance: steps that two labels may lie apart.
    """
    found = finished(book, taxonomy, last_steps, annotators)
    codes: list[CodeAgreement] = []
    located: list[LocatedAgreement] = []
    for question in taxonomy.questions:
        for items in _units(found, question, last_steps):
            codes += _question(question, items, seed)
            if items.unit == "step":
                last = {"/".join(where): steps for where, steps in last_steps.items()}
                located += located_agreement(question, items, last, tolerance, seed)
    return Agreement(
        taxonomy=taxonomy.name,
        title=taxonomy.title,
        raters=tuple(sorted({who for raters in found.raters.values() for who in raters})),
        episodes=len(found.raters),
        waiting=found.waiting,
        codes=tuple(codes),
        located=tuple(located),
    )


def confusions(
    book: Book,
    taxonomy: Taxonomy,
    question: str,
    last_steps: Mapping[Episode, int],
    *,
    unit: Unit = "episode",
    annotators: Sequence[str] = (),
    seed: int = 0,
) -> tuple[ConfusionMatrix, ...]:
    """The confusion matrices of a question, one for each two raters: codes by codes, and "no code".

    Raises `StopIteration` for a question that the taxonomy hasn't.
    """
    found = finished(book, taxonomy, last_steps, annotators)
    asked = next(one for one in taxonomy.questions if one.name == question)
    return _pairs(asked, "", rated_items(found, asked, unit, last_steps), seed)


def _units(found: Finished, question: Question, last_steps: Mapping[Episode, int]) -> Iterator[RatedItems]:
    """Each kind of place that the question can be asked of; steps also rolled up to their episodes."""
    for place in question.places:
        items = rated_items(found, question, place, last_steps)
        yield items
        if place == "step":
            yield rolled_up(items, len(found.raters))


def _question(question: Question, items: RatedItems, seed: int) -> list[CodeAgreement]:
    """The question as a whole, then each of its codes that was given at all."""
    given = {code for by in items.answers.values() for codes in by.values() for code in codes}
    if not given:
        return []
    known = [code.name for code in question.codes]
    shown = [code for code in known if code in given] + sorted(given - set(known))
    return [_row(question, code, items, seed) for code in ["", *shown]]


def _row(question: Question, code: str, items: RatedItems, seed: int) -> CodeAgreement:
    scale = () if code else question.scale
    answers = _labels(items, code, scale)
    used = {item for by in answers.values() for item in by}
    clusters = _clusters(items)
    return CodeAgreement(
        question=question.name,
        code=code,
        unit=items.unit,
        items=len(used),
        unlabelled=items.unlabelled,
        unranked=len(items.clusters) - len(used) if scale else 0,
        unread=len(items.clusters) - len(used) if code else 0,
        given={who: sum(one not in (False, NO_CODE) for one in by.values()) for who, by in answers.items()},
        level="ordinal" if scale else "nominal",
        percent=percent(answers, seed=seed, clusters=clusters),
        kappa=cohen_kappa(answers, seed=seed, order=scale, clusters=clusters),
        alpha=krippendorff_alpha(answers, seed=seed, order=scale, clusters=clusters),
        pairs=_pairs(question, code, items, seed),
        differing=_differing(answers, items.clusters),
    )


def _labels(items: RatedItems, code: str, scale: Sequence[str]) -> Labels:
    if code:
        return items.given(code)
    return items.ranked(scale) if scale else items.whole()


def _differing(answers: Labels, clusters: Mapping[str, str]) -> tuple[str, ...]:
    said: dict[str, set[Hashable]] = {}
    for by in answers.values():
        for item, label in by.items():
            said.setdefault(item, set()).add(label)
    return tuple(sorted({clusters[item] for item, labels in said.items() if len(labels) > 1}))


def _clusters(items: RatedItems) -> Mapping[str, str] | None:
    return items.clusters if items.unit == "step" else None


def _pairs(question: Question, code: str, items: RatedItems, seed: int) -> tuple[ConfusionMatrix, ...]:
    """Two raters each, over the items that one of the two labelled."""
    found: list[ConfusionMatrix] = []
    raters = sorted(items.answers)
    for at, first in enumerate(raters):
        for second in raters[at + 1 :]:
            own = items.of((first, second))
            answers: Labels = own.whole()
            scale: Sequence[str] = question.scale
            names: Sequence[str] = [*(one.name for one in question.codes), NO_CODE]
            if code:
                names, scale = (code, f"not {code}"), ()
                answers = {
                    who: {item: names[0] if one else names[1] for item, one in by.items()}
                    for who, by in own.given(code).items()
                }
            found += confusion_matrices(answers, names, seed=seed, order=scale, clusters=_clusters(own))
    return tuple(found)
