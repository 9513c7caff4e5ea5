"""Agreement on where: labels of steps with near misses counted, and the segments that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from webbench.core.analysis.agreement.rated_items import RatedItems
from webbench.core.labels.taxonomy import Question
from webbench.core.statistics.bootstrap import bootstrapped, share
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.located_labels import boundaries, boundary_parts, met
from webbench.core.text.plural import counted

METHOD = "positive specific agreement"


class LocatedAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """One code at steps; or, with `code` empty, all codes of the question, each met by the same code.

    Positive specific agreement is twice the labels that meet over all labels of both raters, which is the F1
    of either against the other (Hripcsak and Rothschild 2005); steps that nobody labelled are not in it.
    Pairs of raters and episodes are summed up. Chance is not taken off.

    Attributes:
        tolerance: steps that two labels may lie apart.
        labels: how many each rater gave.
        episodes: with a label of a step.
        exact: labels of the same step; `near`: at most `tolerance` steps apart.
        segments: boundary similarity of the segments that labels cut an episode into (Fournier 2013).
    """

    question: str
    code: str
    tolerance: int
    labels: dict[str, int]
    episodes: int
    exact: Estimate
    near: Estimate
    segments: Estimate


def located_agreement(
    question: Question, items: RatedItems, last_steps: Mapping[str, int], tolerance: int, seed: int
) -> list[LocatedAgreement]:
    """The question as a whole, then each of its codes that was given to a step.

    Args:
        items: steps.
        last_steps: by episode, as items name it.
    """
    ways = _ways(items, last_steps)
    given = {code for raters in ways.values() for steps in raters.values() for one in steps for code in one}
    if not given:
        return []
    known = [code.name for code in question.codes]
    shown = [code for code in known if code in given] + sorted(given - set(known))
    return [_row(question.name, code, ways, shown, tolerance, seed) for code in ["", *shown]]


_Steps = list[frozenset[str]]
"""Codes of each step of an episode."""

_Ways = dict[str, dict[str, _Steps]]
"""Episode -> rater -> her steps."""


def _ways(items: RatedItems, last_steps: Mapping[str, int]) -> _Ways:
    found: _Ways = {}
    for who, by in sorted(items.answers.items()):
        for item, codes in by.items():
            episode, step = items.clusters[item], items.steps[item]
            nothing: _Steps = [frozenset()] * (last_steps[episode] + 1)
            found.setdefault(episode, {}).setdefault(who, nothing)[step] = codes
    return found


def _row(
    question: str, code: str, ways: _Ways, codes: Sequence[str], tolerance: int, seed: int
) -> LocatedAgreement:
    import numpy as np

    wanted = frozenset([code] if code else codes)
    labels = {who: 0 for raters in ways.values() for who in raters}
    rows = []
    for raters in ways.values():
        own = {who: [given & wanted for given in steps] for who, steps in raters.items()}
        for who, steps in own.items():
            labels[who] += sum(map(len, steps))
        pairs = [_parts(one, other, wanted, tolerance) for one, other in combinations(own.values(), 2)]
        rows.append([sum(column) for column in zip(*pairs, strict=True)])
    parts = np.array([row for row in rows if row[2]])
    near = f"at most {counted(tolerance, 'step')} apart"
    return LocatedAgreement(
        question=question,
        code=code,
        tolerance=tolerance,
        labels=labels,
        episodes=len(parts),
        exact=bootstrapped(parts[:, [0, 2]], share, f"{METHOD}, same step", seed=seed),
        near=bootstrapped(parts[:, [1, 2]], share, f"{METHOD}, {near}", seed=seed),
        segments=bootstrapped(parts[:, [3, 4]], share, f"boundary similarity, {near}", seed=seed),
    )


def _parts(one: _Steps, other: _Steps, codes: frozenset[str], tolerance: int) -> list[float]:
    """Twice the labels that meet, at the same step and nearby; all labels; boundaries alike, and all."""
    exact = near = given = 0
    for code in codes:
        first = [at for at, step in enumerate(one) if code in step]
        second = [at for at, step in enumerate(other) if code in step]
        exact += 2 * met(first, second, 0)
        near += 2 * met(first, second, tolerance)
        given += len(first) + len(second)
    return [exact, near, given, *boundary_parts(boundaries(one), boundaries(other), tolerance)]
