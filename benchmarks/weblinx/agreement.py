"""How far several annotators of the same turns agree: each against the others (paper, appendix C.6).

An annotator's action on a turn is scored like a prediction, with every other annotation of the turn as its
reference, and keeps the highest score: who did what anyone else did agrees. A turn that only one annotated
says nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean
from typing import Generic, TypeVar

import msgspec

from webbench.benchmarks.weblinx.action import TurnAction
from webbench.benchmarks.weblinx.rules import PUBLISHED, TurnMetrics, turn_metrics
from webbench.core.errors import BadData

Turn = TypeVar("Turn", bound=Hashable)


class Agreement(msgspec.Struct, Generic[Turn], frozen=True):
    """One annotation against the others of its turn.

    Attributes:
        closest: who did the most similar thing; among equals the first by name.
        metrics: against that one; all of them speak of the same reference.
    """

    turn: Turn
    annotator: str
    closest: str
    metrics: TurnMetrics

    @property
    def value(self) -> float | None:
        """0 where nobody else had the same intent; None where no metric exists."""
        return self.metrics.unconditional


def agreements(
    annotations: Mapping[Turn, Mapping[str, TurnAction]], rules: str = PUBLISHED
) -> list[Agreement[Turn]]:
    """Of every annotation of a turn that has two or more, in their order.

    Raises `BadData` naming turn and annotators where two actions can't be compared.
    """
    return [
        _closest(turn, annotator, by_annotator, rules)
        for turn, by_annotator in annotations.items()
        if len(by_annotator) > 1
        for annotator in by_annotator
    ]


def mean_agreement(found: Sequence[Agreement[Turn]]) -> float | None:
    """Over all annotations that have a value; None without any."""
    values = [one.value for one in found if one.value is not None]
    return fmean(values) if values else None


def agreement_by_annotator(found: Sequence[Agreement[Turn]]) -> dict[str, float | None]:
    """The mean of each, in order of first appearance."""
    names = dict.fromkeys(one.annotator for one in found)
    return {name: mean_agreement([one for one in found if one.annotator == name]) for name in names}


def _closest(
    turn: Turn, annotator: str, by_annotator: Mapping[str, TurnAction], rules: str
) -> Agreement[Turn]:
    found: list[Agreement[Turn]] = []
    for other in sorted(by_annotator.keys() - {annotator}):
        try:
            metrics = turn_metrics(by_annotator[annotator], [by_annotator[other]], rules)
        except BadData as error:
            raise BadData(f"turn {turn}: {annotator} and {other} don't compare: {error}") from error
        found.append(Agreement(turn, annotator, other, metrics))
    return max(found, key=_nearness)


def _nearness(one: Agreement[Turn]) -> tuple[float, float]:
    """The same intent is nearer than another, also where no metric exists for it."""
    return (one.metrics.intent_match or 0.0, -1.0 if one.value is None else one.value)
