"""How far several annotators of the same turns agree: each against the others (paper, appendix C.6).

An annotator's action on a turn is scored like a prediction, with every other annotation of the turn as its
reference, and keeps the highest score: who did what anyone else did agrees. A turn that only one annotated
says nothing.

`agreement_table` tells it by intent of what an annotator did, and over all: intent match, IoU of elements,
chrF and URL-F of texts, and the overall score, each against the nearest of the others.

`nearest_scores` is table 20: people, models and what the demonstration itself did, each against all that
people and the demonstration did at the same turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from webbench.benchmarks.weblinx.scoring.aggregate import REPORTED, row_of
from webbench.benchmarks.weblinx.scoring.aggregate import Row as AveragedRow
from webbench.benchmarks.weblinx.scoring.evidence import predicted_action_of
from webbench.benchmarks.weblinx.scoring.rules import PUBLISHED, TurnMetrics, turn_metrics
from webbench.benchmarks.weblinx.turns.action import TurnAction, action_of
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.statistics.mean import mean

Turn = TypeVar("Turn", bound=Hashable)
TurnNumber = tuple[str, int]
"""A demonstration and the number of a turn."""

METRICS: dict[str, Callable[[TurnMetrics], float | None]] = {
    "intent match": lambda metrics: metrics.intent_match,
    "IoU": lambda metrics: metrics.iou,
    "chrF": lambda metrics: metrics.chrf,
    "URL-F": lambda metrics: metrics.urlf,
    "overall": lambda metrics: metrics.unconditional,
}
ALL = "all"


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


def agreement_table(evidence: Mapping[str, Sequence[JsonObject]], rules: str) -> Table | None:
    """Of each annotator's episodes; None where no turn was done by two. Raises `BadData` for bad evidence."""
    annotations: dict[TurnNumber, dict[str, TurnAction]] = {}
    for annotator, episodes in evidence.items():
        for episode in episodes:
            for turn, action in _annotated_turns(episode, rules):
                annotations.setdefault(turn, {})[annotator] = action
    found = agreements(annotations, rules)
    if not found:
        return None
    groups: dict[str, list[Agreement[TurnNumber]]] = {}
    for one in found:
        groups.setdefault(annotations[one.turn][one.annotator].intent or "none", []).append(one)
    rows = [_agreement_row(intent, groups[intent]) for intent in sorted(groups)]
    rows.append(_agreement_row(ALL, found))
    rows += [
        _agreement_row(f"by {annotator}", [one for one in found if one.annotator == annotator])
        for annotator in dict.fromkeys(one.annotator for one in found)
    ]
    turns = len({one.turn for one in found})
    return Table(
        title="WebLINX agreement score (appendix C.6)",
        columns=(Column("intent", "text"), Column("n"), *map(Column, METRICS)),
        rows=tuple(rows),
        note=f"rules {rules}, {turns} turns done by several; n counts annotations",
    )


def _agreement_row(title: str, found: Sequence[Agreement[TurnNumber]]) -> Row:
    return Row((title, len(found), *(_mean_of(found, metric) for metric in METRICS.values())))


def _mean_of(
    found: Sequence[Agreement[TurnNumber]], metric: Callable[[TurnMetrics], float | None]
) -> float | None:
    """Over the annotations that have it; an IoU of boxes without end is none."""
    values = (metric(one.metrics) for one in found)
    return mean(value for value in values if value is not None and not math.isnan(value))


def _annotated_turns(evidence: JsonObject, rules: str) -> list[tuple[TurnNumber, TurnAction]]:
    turns, name = evidence.get("turns"), evidence.get("demonstration")
    if not isinstance(turns, list) or not isinstance(name, str):
        raise BadData("the evidence of a demonstration lacks its turns, or its name")
    found = []
    for turn in turns:
        index = turn.get("turn") if isinstance(turn, dict) else None
        if not isinstance(index, int):
            raise BadData(f"a turn of the demonstration {name} has no number")
        found.append(((name, index), predicted_action_of(turn, rules)))
    return found


ORIGINAL = "original"
"""What the demonstration's own navigator did, among the annotations of a turn."""


def nearest_scores(
    people: Mapping[str, Sequence[JsonObject]], models: Mapping[str, Sequence[JsonObject]], rules: str
) -> dict[str, list[AveragedRow]]:
    """By name, `ORIGINAL` among them: the turns' metrics against the nearest of all that others did.

    Those of people and of the demonstration are held against the others', those of models against all
    (appendix C.6). A turn counts that one person or more annotated. Raises `BadData` for bad evidence.

    Args:
        people, models: the evidence of their episodes, by name.
    """
    ways: dict[TurnNumber, dict[str, TurnAction]] = {}
    for name, episodes in people.items():
        for episode in episodes:
            original = _original_turns(episode)
            for turn, action in _annotated_turns(episode, rules):
                ways.setdefault(turn, {})[name] = action
                if turn in original:
                    ways[turn].setdefault(ORIGINAL, original[turn])
    found: dict[str, list[AveragedRow]] = {}
    for one in agreements(ways, rules):
        _add(found, one.annotator, ways[one.turn].get(ORIGINAL), one.metrics, rules)
    for name, episodes in models.items():
        for episode in episodes:
            for turn, action in _annotated_turns(episode, rules):
                if turn in ways:
                    nearest = _closest(turn, name, {**ways[turn], name: action}, rules)
                    _add(found, name, ways[turn].get(ORIGINAL), nearest.metrics, rules)
    return found


def _add(
    found: dict[str, list[AveragedRow]],
    name: str,
    original: TurnAction | None,
    metrics: TurnMetrics,
    rules: str,
) -> None:
    """Turns count by what the demonstration did, so that all have the same ones."""
    intent = (original.intent if original is not None else "") or ""
    if original is not None and (rules != PUBLISHED or intent in REPORTED):
        found.setdefault(name, []).append(row_of(intent, metrics))


def _original_turns(evidence: JsonObject) -> dict[TurnNumber, TurnAction]:
    turns, name = evidence.get("turns"), evidence.get("demonstration")
    found: dict[TurnNumber, TurnAction] = {}
    for turn in turns if isinstance(turns, list) and isinstance(name, str) else ():
        gold = turn.get("gold") if isinstance(turn, dict) else None
        references = gold.get("references") if isinstance(gold, dict) else None
        if isinstance(references, list) and references and isinstance(turn.get("turn"), int):
            found[str(name), turn["turn"]] = action_of(references[0])
    return found
