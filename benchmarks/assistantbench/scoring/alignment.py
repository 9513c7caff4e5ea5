"""Two lists of answers compared item by item, in the pairing that scores best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import fsum

from webbench.benchmarks.assistantbench.scoring.comparison_result import Comparison
from webbench.benchmarks.assistantbench.scoring.rules import PAPER
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score.score import Check, Status
from webbench.core.scoring.metrics.assignment import best_pairs

MOST_PAIRS = 250_000
"""Every item of one list is compared with every item of the other."""
LEFT_OVER_SHOWN = 20
LISTS_NAME = "aligned lists"


def aligned(
    prediction: Sequence[Json],
    gold: Sequence[Json],
    value: Callable[[int, int], float],
    explain: Callable[[int, int], Check],
    rules: str,
) -> Comparison:
    """The sum of the scores of the best one-to-one pairing, over the length of the longer list.

    Two empty lists have no value as published, and 1 by the paper.

    Args:
        value: how well answer item i matches gold item j.
        explain: the check of that pair.

    Raises `BadData` for lists with more than `MOST_PAIRS` pairs, and where a pair has no finite value.
    """
    if len(prediction) * len(gold) > MOST_PAIRS:
        lists = f"{_items(len(prediction))} and {len(gold)} gold items"
        raise BadData(f"{lists} make more than {MOST_PAIRS:,} pairs, too many to compare")
    if not prediction and not gold:
        return _nothing(rules)
    scores = [[value(answer, wanted) for answer in range(len(prediction))] for wanted in range(len(gold))]
    try:
        pairs = best_pairs(scores)
    except ValueError as error:
        raise BadData("the items can't be paired, as some pairs have no finite score") from error
    mean = fsum(scores[wanted][answer] for wanted, answer in pairs) / max(len(prediction), len(gold))
    return Comparison(mean, lambda target: _explained(target, prediction, gold, mean, dict(pairs), explain))


def _nothing(rules: str) -> Comparison:
    value, status, why = None, Status.ERROR, "both lists are empty, so there is nothing to average"
    if rules == PAPER:
        value, status, why = 1.0, Status.SCORED, "both lists are empty"

    def explain(target: str) -> Check:
        return Check(
            name=LISTS_NAME, target=target, actual=[], expected=[], value=value, status=status, why=why
        )

    return Comparison(value, explain)


def _explained(
    target: str,
    prediction: Sequence[Json],
    gold: Sequence[Json],
    value: float,
    partner: dict[int, int],
    explain: Callable[[int, int], Check],
) -> Check:
    checks = [
        explain(partner[wanted], wanted) if wanted in partner else _missing(gold[wanted], wanted)
        for wanted in range(len(gold))
    ]
    return Check(
        name=LISTS_NAME,
        target=target,
        actual=list(prediction),
        expected=list(gold),
        value=value,
        why=f"{_items(len(prediction))} answered, {len(gold)} wanted, paired so that the sum is largest",
        combination=f"sum of the pairs over the longer list, {_items(max(len(prediction), len(gold)))}",
        checks=(*checks, *_left_over(prediction, set(partner.values()))),
    )


def _missing(item: Json, place: int) -> Check:
    return Check(
        name="not answered",
        target=f"gold item {place + 1}",
        expected=item,
        value=0.0,
        why="no item of the answer is left for it",
    )


def _left_over(prediction: Sequence[Json], paired: Collection[int]) -> list[Check]:
    """A check for each of the first items without a gold item, and one for all others."""
    places = [place for place in range(len(prediction)) if place not in paired]
    checks = [
        Check(
            name="not wanted",
            target=f"answer item {place + 1}",
            actual=prediction[place],
            value=0.0,
            why="no item of the gold answer is left for it",
        )
        for place in places[:LEFT_OVER_SHOWN]
    ]
    more = len(places) - len(checks)
    if more:
        why = "no item of the gold answer is left for any of them"
        checks.append(Check(name="not wanted", target=f"{more} more answer items", value=0.0, why=why))
    return checks


def pair_name(answer: int, gold: int) -> str:
    """ "item 1, gold item 3"."""
    return f"item {answer + 1}, gold item {gold + 1}"


def _items(count: int) -> str:
    return f"{count} item{'s' * (count != 1)}"
