"""What people made of suggestions and rankings: confirmed, rejected, or left unanswered.

Only episodes that somebody labelled count. A suggestion is confirmed by a label of one of its steps that
means the same, and rejected by one that names another cause there. The decisive step is the earliest step
to which somebody gave a cause; a ranking's first steps are confirmed where it is among them, rejected where
it is another, unanswered where nobody named one; a judge's step likewise. Where somebody settled,
the decision counts in place of the labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from webbench.core.analysis.decisive.model_level import TITLES as WAY_TITLES
from webbench.core.analysis.decisive.model_level import NamedStep
from webbench.core.analysis.decisive.ranking import Ranking
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.label import Label
from webbench.core.labels.settled import counting
from webbench.core.statistics.estimates import Estimate, wilson

TOPS = (1, 3, 5)
CAUSE = "cause."
ENVIRONMENT = "environment."
UNSPECIFIED = "cause.unspecified"
"""Names the decisive step, and says nothing for or against any cause."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of question fared; `precision` is confirmed of those that were answered."""

    name: str
    confirmed: int
    rejected: int
    unanswered: int
    precision: Estimate


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with what a program and judges make of it and what people said."""

    suggestions: Sequence[Suggestion]
    ranking: Ranking | None
    labels: Sequence[Label]
    named: Sequence[NamedStep] = ()


def tallies(episodes: Iterable[Looked], codebook: Codebook) -> list[Tally]:
    """One for each kind of suggestion that was made, and one for each length of a ranking's beginning."""
    counts: dict[str, Counter[str]] = {}
    for one in episodes:
        if not one.labels:
            continue
        causes = {label: _causes(label, codebook) for label in counting(one.labels)}
        for suggestion in one.suggestions:
            counts.setdefault(TITLES[suggestion.kind], Counter())[_verdict(suggestion, causes)] += 1
        named = [label.step for label, told in causes.items() if label.step is not None and told]
        for top in TOPS if one.ranking is not None else ():
            verdict = _found(one.ranking, top, min(named, default=None))
            counts.setdefault(_first(top), Counter())[verdict] += 1
        for judged in one.named:
            counts.setdefault(_by_judge(judged), Counter())[_agrees(judged, min(named, default=None))] += 1
    names = [*TITLES.values(), *map(_first, TOPS)]
    judges = sorted(name for name in counts if name not in names)
    return [_tally(name, counts[name]) for name in (*names, *judges) if name in counts]


def _first(top: int) -> str:
    return "decisive step ranked first" if top == 1 else f"decisive step among the first {top}"


def _causes(label: Label, codebook: Codebook) -> frozenset[str]:
    """What of the merged taxonomy's causes a label means."""
    return frozenset(one for one in codebook.meanings(label) if one.startswith((CAUSE, ENVIRONMENT)))


def _verdict(suggestion: Suggestion, causes: dict[Label, frozenset[str]]) -> str:
    told = [
        means
        for label, means in causes.items()
        if means - {UNSPECIFIED}
        and label.step is not None
        and suggestion.first <= label.step <= suggestion.last
    ]
    if not told:
        return "unanswered"
    return "confirmed" if any(means & set(suggestion.means) for means in told) else "rejected"


def _found(ranking: Ranking | None, top: int, named: int | None) -> str:
    if ranking is None or named is None:
        return "unanswered"
    return "confirmed" if named in [one.step for one in ranking.steps[:top]] else "rejected"


def _by_judge(judged: NamedStep) -> str:
    return f"decisive step by {judged.judge}, {WAY_TITLES[judged.way]}"


def _agrees(judged: NamedStep, named: int | None) -> str:
    if named is None:
        return "unanswered"
    return "confirmed" if judged.step == named else "rejected"


def _tally(name: str, counts: Counter[str]) -> Tally:
    answered = counts["confirmed"] + counts["rejected"]
    return Tally(
        name=name,
        confirmed=counts["confirmed"],
        rejected=counts["rejected"],
        unanswered=counts["unanswered"],
        precision=wilson(counts["confirmed"], answered),
    )
