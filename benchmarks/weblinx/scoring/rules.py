"""The two rule sets, and all metrics of one turn under either of them.

`published` is the code behind the literature's numbers, `paper` what the paper's text defines. The README
lists every clause in which they differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from webbench.benchmarks.weblinx.scoring.metrics import (
    Measure,
    applicable,
    compared_texts,
    element_iou,
    exact_match,
    text_chrf,
    url_f,
)
from webbench.benchmarks.weblinx.turns.action import TurnAction
from webbench.benchmarks.weblinx.turns.intents import (
    ELEMENT_INTENTS,
    PAPER_ELEMENT_GROUP,
    PAPER_TEXT_GROUP,
    TEXT_INTENTS,
)
from webbench.core.errors import UsageError
from webbench.core.scoring.metrics.chrf import Overlap, overlap
from webbench.core.scoring.metrics.ngram_overlaps import overlaps

PUBLISHED, PAPER = "published", "paper"
RULE_SETS = (PUBLISHED, PAPER)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rule sets differ on a single turn; `aggregate` has the clauses of averages.

    Attributes:
        beta: of chrF: 2 weighs recall, 1 is F1.
        elements, texts: the intents that are given an IoU and a chrF.
        whole_prefix: URL-F drops "www." and not the letters.
        quoted_text: what a model put in quotes stays text.
    """

    name: str
    beta: float
    elements: frozenset[str]
    texts: frozenset[str]
    whole_prefix: bool
    quoted_text: bool


_SETS = {
    PUBLISHED: Rules(
        name=PUBLISHED,
        beta=2,
        elements=ELEMENT_INTENTS,
        texts=TEXT_INTENTS,
        whole_prefix=False,
        quoted_text=False,
    ),
    PAPER: Rules(
        name=PAPER,
        beta=1,
        elements=PAPER_ELEMENT_GROUP,
        texts=PAPER_TEXT_GROUP,
        whole_prefix=True,
        quoted_text=True,
    ),
}


def rules_named(name: str) -> Rules:
    """Raises `UsageError` for a rule set that isn't there."""
    try:
        return _SETS[name]
    except KeyError:
        raise UsageError(f'WebLINX has no rule set "{name}"', f"there are {', '.join(RULE_SETS)}") from None


def rules_agree(intent: str | None) -> bool:
    """Whether the rule sets give two actions of this intent the same metrics: no text is compared, and an
    element by both or by neither.
    """
    published, paper = _SETS[PUBLISHED], _SETS[PAPER]
    if intent in published.texts | paper.texts:
        return False
    return (intent in published.elements) == (intent in paper.elements)


class TurnMetrics(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Every metric of one turn; None where it doesn't exist for the pair of intents."""

    exact_match: float | None = None
    intent_match: float | None = None
    chrf: float | None = None
    iou: float | None = None
    urlf: float | None = None

    @property
    def overall(self) -> float | None:
        """As means take it that leave out turns whose intent differs; None for such a turn."""
        return overall(iou=self.iou, chrf=self.chrf, urlf=self.urlf)

    @property
    def unconditional(self) -> float | None:
        """As means take it that count turns whose intent differs as 0."""
        return 0.0 if self.intent_match == 0 else self.overall

    def by_name(self) -> dict[str, float | None]:
        """Under the names that result files use."""
        return {
            "exact-match": self.exact_match,
            "intent-match": self.intent_match,
            "chrf": self.chrf,
            "iou": self.iou,
            "urlf": self.urlf,
        }


def overall(*, iou: float | None, chrf: float | None, urlf: float | None) -> float | None:
    """IoU times chrF where both exist, else URL-F, else chrF, else IoU, else None.

    An IoU of boxes without end is no number and taken as missing.
    """
    if iou is not None and math.isnan(iou):
        iou = None
    if iou is not None and chrf is not None:
        return iou * chrf
    if urlf is not None:
        return urlf
    return iou if chrf is None else chrf


def turn_metrics(
    predicted: TurnAction,
    references: Iterable[TurnAction],
    rules: str = PUBLISHED,
    measure: Measure = overlap,
) -> TurnMetrics:
    """Each metric's best value over the references, usually the one of the turn.

    Args:
        measure: gives the n-gram overlap of two texts.

    Raises `BadData` for what the published code fails on: a box without an edge, two empty boxes, an element
    without attributes, an address that is no text.
    """
    chosen = rules_named(rules)
    found = [_against(predicted, wanted, chosen, measure) for wanted in references]
    if len(found) == 1:
        return found[0]
    return TurnMetrics(
        exact_match=_best(one.exact_match for one in found),
        intent_match=_best(one.intent_match for one in found),
        chrf=_best(one.chrf for one in found),
        iou=_best(one.iou for one in found),
        urlf=_best(one.urlf for one in found),
    )


def measured_together(turns: Iterable[tuple[TurnAction, TurnAction, str]]) -> Measure:
    """What gives the n-gram overlaps that chrF needs for many (predicted, reference, rules), all counted now.

    Texts that are in none of the turns are counted when they are asked for.
    """
    known = overlaps(
        pair
        for predicted, wanted, rules in turns
        for pair in _text_pair(predicted, wanted, rules_named(rules))
    )

    def measure(prediction: str, reference: str) -> Overlap:
        found = known.get((prediction, reference))
        return overlap(prediction, reference) if found is None else found

    return measure


def _against(predicted: TurnAction, wanted: TurnAction, rules: Rules, measure: Measure) -> TurnMetrics:
    if predicted.intent != wanted.intent:
        return _OTHER_INTENT
    exists = applicable(predicted.intent, wanted.intent, elements=rules.elements, texts=rules.texts)
    chrf = urlf = None
    if exists["chrf"] or exists["urlf"]:
        texts = compared_texts(predicted, wanted)
        chrf = text_chrf(texts, rules.beta, measure) if exists["chrf"] else None
        urlf = url_f(*texts, whole_prefix=rules.whole_prefix) if exists["urlf"] else None
    return TurnMetrics(
        exact_match=exact_match(predicted, wanted),
        intent_match=1,
        chrf=chrf,
        iou=element_iou(predicted, wanted) if exists["iou"] else None,
        urlf=urlf,
    )


_OTHER_INTENT = TurnMetrics(exact_match=0, intent_match=0)


def _text_pair(predicted: TurnAction, wanted: TurnAction, rules: Rules) -> list[tuple[str, str]]:
    """The texts that chrF compares, none where it compares none."""
    if predicted.intent != wanted.intent or predicted.intent not in rules.texts:
        return []
    first, second = compared_texts(predicted, wanted)
    return [(first, second)] if isinstance(first, str) and isinstance(second, str) else []


def _best(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
